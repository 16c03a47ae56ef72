/** A point in time, exact below a millisecond. */
export interface Instant {
  /** Milliseconds since the epoch, rounded down. */
  readonly ms: number
  /** What comes after them: the further digits of the fraction, without zeros at the end. */
  readonly rest: string
  /** As it was written. */
  readonly text: string
}

/** How a time is written: `YYYY-MM-DDTHH:MM[:SS[.f…]]` with `Z` or `±HH:MM`. */
const shape =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/

/** The time that a text names; undefined where it names none, as 30 February. */
export function instantOf(text: string): Instant | undefined {
  const [matched, minute = '', second = '00', fraction = '', sign, hours = 0, minutes = 0] =
    shape.exec(text) ?? []
  if (matched === undefined) return undefined
  const utc = `${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const date = new Date(utc)
  // A date that the calendar does not have becomes another one.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== utc) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return {
    ms: date.getTime() - (sign === '-' ? -offset : offset),
    rest: fraction.slice(3).replace(/0+$/, ''),
    text,
  }
}

/** Whether a time is later than another one. */
export function isAfter(one: Instant, other: Instant): boolean {
  return one.ms > other.ms || (one.ms === other.ms && one.rest > other.rest)
}
