import { damagedFile } from './damaged-file.ts'
import type { FilePages } from './file-pages.ts'
import type { TreeKind } from './format.ts'
import { TreePage } from './tree-page.ts'

/** A cell, and the page that it stands on. */
export interface TreeCell {
  readonly page: TreePage
  readonly at: number
}

/**
 * The cells of a b-tree in their order: of a table those of its leaves, of an index all.
 *
 * @param before whether a cell comes before the first one that is wanted; such cells come first in a page
 * @throws SessionQueryError as {@link damagedFile} where the tree is none
 */
export function* cellsFrom(
  pages: FilePages,
  kind: TreeKind,
  root: number,
  before: (cell: TreeCell) => boolean,
): Generator<TreeCell, void, undefined> {
  let left = pages.header.pages
  const path: { page: TreePage; at: number }[] = []

  function descend(number: number, first: (page: TreePage) => number): void {
    for (let next = number; ;) {
      // No page stands in a tree twice, and none that SQLite reads is deeper.
      left -= 1
      if (left < 0 || path.length >= deepest) throw damagedFile(`the pages below page ${root} go round`)
      const page = new TreePage(pages, next, kind)
      const at = first(page)
      path.push({ page, at })
      if (page.leaf) return
      next = page.child(at)
    }
  }

  descend(root, (page) => firstNotBefore(page, before))
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const { page, at } = step
    if (at >= page.length) {
      path.pop()
      continue
    }
    if (page.leaf || kind === 'index') yield { page, at }
    step.at += 1
    if (!page.leaf) descend(page.child(step.at), () => 0)
  }
}

/** As deep as SQLite itself goes. */
const deepest = 20

function firstNotBefore(page: TreePage, before: (cell: TreeCell) => boolean): number {
  let low = 0
  let high = page.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (before({ page, at: middle })) low = middle + 1
    else high = middle
  }
  return low
}
