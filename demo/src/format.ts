const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

// A log may hold any number as a time; one beyond the calendar is shown as it stands.
export function formatClock(time: number): string {
  return isDate(time) ? clock.format(time) : String(time)
}

export function formatMinute(time: number): string {
  return isDate(time) ? `${day.format(time)}, ${minute.format(time)}` : String(time)
}

export function formatMoment(time: number): string {
  return isDate(time) ? `${day.format(time)}, ${clock.format(time)}` : String(time)
}

export function formatNumber(count: number): string {
  return whole.format(count)
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : many}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${short.format(bytes / 1_000)} kB`
  if (bytes < 1_000_000_000) return `${short.format(bytes / 1_000_000)} MB`
  return `${short.format(bytes / 1_000_000_000)} GB`
}

/** The last part of a path, which is what a workspace is known by. */
export function formatWorkspace(cwd: string | undefined): string {
  if (cwd === undefined || cwd === '') return 'no workspace'
  return cwd.split(/[\\/]/).findLast((name) => name !== '') ?? cwd
}

/** The end of an id: ids that are counted up or begin with a time differ there. */
export function formatShortId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`
}

function isDate(time: number): boolean {
  return !Number.isNaN(new Date(time).getTime())
}
