import type { Inspection } from './inspection.ts'

let last: Worker | undefined

/** The worker of the package, as it is. */
export function packagedWorker(): Worker {
  last = new Worker(new URL('../../../dist/worker.js', import.meta.url), { type: 'module' })
  return last
}

/** Ends the worker that was started last. */
export function endWorker(): void {
  last?.terminate()
}

/** A worker that makes the index one of another version, so that the next one builds it anew. */
export function outdatingWorker(): Worker {
  return seamWorker('outdate')
}

/** A worker that looks at the databases before the library does, and what it sees. */
export function inspectingWorker(): { source: () => Worker; inspection: Promise<Inspection> } {
  let tell: (inspection: Inspection) => void
  const inspection = new Promise<Inspection>((resolve) => {
    tell = resolve
  })
  return {
    inspection,
    source: () => {
      const worker = seamWorker('inspect')
      worker.addEventListener('message', ({ data }: MessageEvent<{ inspection?: Inspection }>) => {
        if (data.inspection !== undefined) tell(data.inspection)
      })
      return worker
    },
  }
}

/** @param name says what it does */
function seamWorker(name: string): Worker {
  return new Worker(new URL('./seam-worker.ts', import.meta.url), { type: 'module', name })
}
