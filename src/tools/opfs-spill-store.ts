import { persistenceFailed, quoted } from '../core/errors.ts'
import { invalidConfig, optionsObject } from '../core/options.ts'
import { sizeIn } from './locator.ts'
import { checkedMaxBytes, checkFits, type BoundedSpillStore } from './spill-store.ts'

export interface OpfsSpillStoreOptions {
  /** The folder of the texts, a name without slashes. Default `session-query-spill`. */
  readonly directory?: string | undefined
  /** The most that is kept, in bytes. Default 64 MiB. A second tab that writes as well may add an eighth of it. */
  readonly maxBytes?: number | undefined
}

/**
 * Keeps texts in the private file system of the origin (OPFS), one file each, where they outlast the page. It works in
 * pages and in dedicated workers; in pages of browsers without `createWritable` writing fails.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`, naming the option
 */
export function opfsSpillStore(options: OpfsSpillStoreOptions = {}): BoundedSpillStore {
  const { directory = 'session-query-spill', maxBytes: most } = optionsObject(options)
  if (typeof directory !== 'string' || /^\.{0,2}$|[/\\]/.test(directory)) {
    throw invalidConfig(
      `directory is ${quoted(directory)}; it has to be the name of a folder, without slashes.`,
    )
  }
  const maxBytes = checkedMaxBytes(most, 64)
  /** How much may be written before the folder is looked at again, in bytes: to list many files takes its time. */
  let room = 0

  /** Works on the folder while no other tab changes it. */
  const changing = (change: (folder: FileSystemDirectoryHandle) => Promise<void>): Promise<void> =>
    navigator.locks.request(`session-query-spill/${directory}`, async () =>
      change(await folderNamed(directory)),
    )

  return {
    async write(locator, bytes) {
      checkFits(bytes, maxBytes)
      await changing(async (folder) => {
        if (room < bytes.length) room = await makeRoom(folder, bytes.length, maxBytes)
        room -= bytes.length
        try {
          await fill(await folder.getFileHandle(locator, { create: true }), bytes)
        } catch (error) {
          await folder.removeEntry(locator).catch(() => undefined)
          throw error
        }
      })
    },

    async read(locator, from, to) {
      const file = await fileNamed(await folderNamed(directory), locator)
      // One that was not written to its end is shorter than its locator says.
      if (file === undefined || file.size !== sizeIn(locator)) return undefined
      return new Uint8Array(await file.slice(from, to).arrayBuffer())
    },

    async clear() {
      try {
        await changing(async (folder) => removeAll(folder, await textsIn(folder)))
      } catch (cause) {
        throw persistenceFailed('failed', 'Not all texts that were put away could be dropped.', cause)
      }
    },
  }
}

async function folderNamed(directory: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(directory, { create: true })
}

async function fileNamed(folder: FileSystemDirectoryHandle, name: string): Promise<File | undefined> {
  try {
    return await (await folder.getFileHandle(name)).getFile()
  } catch (error) {
    if ((error as Partial<DOMException> | null)?.name === 'NotFoundError') return undefined
    throw error
  }
}

/** A file of ours. */
interface Text {
  readonly name: string
  /** How much it holds, or was to hold, in bytes. */
  readonly size: number
}

/** Files are ours that are named as a locator, or as one and what a browser adds to it while it writes. */
async function textsIn(folder: FileSystemDirectoryHandle): Promise<readonly Text[]> {
  const texts: Text[] = []
  for await (const name of folder.keys()) {
    const size = sizeIn(name.replace(/\..*$/, ''))
    if (size !== undefined) texts.push({ name, size })
  }
  return texts
}

/**
 * Drops the oldest texts where there is no room for the next one, and some more, so that there is room for a while.
 *
 * @returns how much may be written, in bytes
 */
async function makeRoom(
  folder: FileSystemDirectoryHandle,
  needed: number,
  maxBytes: number,
): Promise<number> {
  const texts = await textsIn(folder)
  let total = texts.reduce((sum, { size }) => sum + size, needed)
  if (total > maxBytes) {
    const dated = await Promise.all(
      texts.map(async (text) => ({
        ...text,
        time: (await fileNamed(folder, text.name))?.lastModified ?? 0,
      })),
    )
    dated.sort((one, other) => one.time - other.time)
    const dropped = dated.filter(({ size }) => {
      const goes = total > maxBytes * (1 - slack)
      if (goes) total -= size
      return goes
    })
    await removeAll(folder, dropped)
  }
  return needed + Math.min(maxBytes - total, maxBytes * slack)
}

/** How much of `maxBytes` is written between two looks at the folder. */
const slack = 1 / 8

/** Removes as many as can be removed. */
async function removeAll(folder: FileSystemDirectoryHandle, texts: readonly Text[]): Promise<void> {
  const ends = await Promise.allSettled(texts.map(({ name }) => folder.removeEntry(name)))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Writes a file. `createWritable` shows it to nobody before it is whole. */
async function fill(handle: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  // A part of a larger buffer, or one that is shared, is not taken everywhere.
  const whole = bytes.slice()
  if (typeof handle.createWritable === 'function') {
    const writable = await handle.createWritable()
    try {
      await writable.write(whole)
      return await writable.close()
    } catch (error) {
      // Until then the file cannot be removed.
      await writable.abort().catch(() => undefined)
      throw error
    }
  }
  const access = await handle.createSyncAccessHandle()
  try {
    const written = access.write(whole)
    if (written !== whole.length)
      throw new Error(`Only ${written} of ${whole.length} bytes were written.`)
    access.flush()
  } finally {
    access.close()
  }
}
