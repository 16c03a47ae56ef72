/** Something to time, by name. */
export type Timed = Readonly<Record<string, () => unknown>>

/** Milliseconds that `body` takes. */
export async function elapsed(body: () => unknown): Promise<number> {
  const start = performance.now()
  await body()
  return performance.now() - start
}

/** What a call takes, in microseconds. */
export async function timed(call: () => unknown): Promise<number> {
  return (await elapsed(call)) * 1000
}

/** The median time of each, in milliseconds. They take turns, so that noise hits all alike. */
export async function medians<Names extends Timed>(
  calls: Names,
  rounds: number,
  warmUps = 5,
): Promise<Record<keyof Names, number>> {
  const times = Object.keys(calls).map((name) => [name, [] as number[]] as const)
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, taken] of times) {
      const milliseconds = await elapsed(() => calls[name]?.())
      if (round >= 0) taken.push(milliseconds)
    }
  }
  return Object.fromEntries(times.map(([name, taken]) => [name, median(taken)])) as Record<
    keyof Names,
    number
  >
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

export function micros(value: number): string {
  return `${value.toFixed(1)} µs`
}
