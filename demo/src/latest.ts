/** Runs one call at a time: a newer one aborts the one before it, whose outcome is never seen. */
export interface Latest {
  run<Value>(
    call: (signal: AbortSignal) => Promise<Value>,
    done: (value: Value) => void,
    failed: (error: unknown) => void,
  ): void
  cancel(): void
}

export function createLatest(): Latest {
  let current: AbortController | undefined
  return {
    run(call, done, failed) {
      current?.abort()
      const controller = new AbortController()
      current = controller
      void call(controller.signal).then(
        (value) => {
          if (current === controller) done(value)
        },
        (error: unknown) => {
          if (current === controller) failed(error)
        },
      )
    },
    cancel() {
      current?.abort()
      current = undefined
    },
  }
}
