/** Something to time, by name. */
export type Timed = Readonly<Record<string, () => unknown>>

/** Milliseconds that `body` takes. */
export async function elapsed(body: () => unknown): Promise<number> {
  const start = performance.now()
  await body()
  return performance.now() - start
}

/** The median time of each, in milliseconds. They take turns, so that noise hits all alike. */
export async function medians<Names extends Timed>(
  timed: Names,
  rounds: number,
  warmUps = 5,
): Promise<Record<keyof Names, number>> {
  const times = Object.keys(timed).map((name) => [name, [] as number[]] as const)
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, taken] of times) {
      const milliseconds = await elapsed(() => timed[name]?.())
      if (round >= 0) taken.push(milliseconds)
    }
  }
  return Object.fromEntries(times.map(([name, taken]) => [name, median(taken)])) as Record<
    keyof Names,
    number
  >
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}
