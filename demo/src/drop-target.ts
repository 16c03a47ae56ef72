import { part } from './dom.ts'

/** Takes files that are dropped anywhere on the page; the browser would leave the page for them. */
export function acceptDrops(take: (files: readonly File[]) => void): void {
  const overlay = part('drop', HTMLDivElement)
  // Moving over a child leaves its parent: only when all are left is the drag gone.
  let depth = 0

  function end(): void {
    depth = 0
    overlay.hidden = true
  }

  window.addEventListener('dragenter', (event) => {
    if (!holdsFiles(event)) return
    depth += 1
    overlay.hidden = false
  })
  window.addEventListener('dragleave', (event) => {
    if (!holdsFiles(event)) return
    depth -= 1
    if (depth <= 0) end()
  })
  window.addEventListener('dragover', (event) => {
    if (holdsFiles(event)) event.preventDefault()
  })
  window.addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    end()
    take([...(event.dataTransfer?.files ?? [])])
  })
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}
