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
      void follow(controller)

      async function follow(own: AbortController): Promise<void> {
        try {
          const value = await call(own.signal)
          if (current === own) done(value)
        } catch (error) {
          if (current === own) failed(error)
        }
      }
    },
    cancel() {
      current?.abort()
      current = undefined
    },
  }
}
