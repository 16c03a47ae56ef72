/** Keeps a long computation from holding up the thread it runs on. */
export interface Pace {
  /** Whether the slice is used up; ask often, it costs little. */
  due(): boolean
  /** Lets everything else that waits for the thread have its turn, then starts a new slice. */
  rest(): Promise<void>
}

/**
 * @param sliceMs how long to compute before it is time to rest. A frame has 16 ms; what runs between
 *   two questions comes on top.
 */
export function createPace(sliceMs = 12): Pace {
  let started = performance.now()
  return {
    due: () => performance.now() - started >= sliceMs,
    async rest() {
      await nextTask()
      started = performance.now()
    },
  }
}

/**
 * A real task boundary: promises alone would keep input and painting waiting, and timers are held
 * back to 4 ms when nested and to a second in hidden tabs.
 */
function nextTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  if (typeof scheduler?.yield === 'function') return scheduler.yield()
  return new Promise((resolve) => {
    if (typeof MessageChannel !== 'function') {
      setTimeout(resolve, 0)
      return
    }
    const { port1, port2 } = new MessageChannel()
    const turn = (): void => {
      // An open port keeps Node from ending.
      port1.close()
      resolve()
    }
    port1.addEventListener('message', turn, { once: true })
    port1.start()
    port2.postMessage(null)
  })
}
