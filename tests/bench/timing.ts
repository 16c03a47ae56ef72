/** What a call takes, in microseconds. */
export async function timed(call: () => unknown): Promise<number> {
  const began = performance.now()
  await call()
  return (performance.now() - began) * 1000
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

export function micros(value: number): string {
  return `${value.toFixed(1)} µs`
}
