/** Whether an error, or what caused it, is a trap of the WebAssembly engine, whose memory cannot be trusted after it. */
export function isBreakdown(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof WebAssembly.RuntimeError) return true
  }
  return false
}
