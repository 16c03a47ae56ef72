import { wrap } from 'comlink'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { newLocator } from '../../src/tools/locator.ts'
import { opfsSpillStore } from '../../src/tools/opfs-spill-store.ts'
import { bytesIn, partsOf, readOn, scene } from '../tools/spilled.ts'
import type { SpillWorker } from './spill-worker.ts'

const directory = 'spill-test'

afterEach(async () => {
  const root = await navigator.storage.getDirectory()
  await root.removeEntry(directory, { recursive: true }).catch(() => undefined)
})

async function folder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(directory, { create: true })
}

async function names(): Promise<readonly string[]> {
  const found: string[] = []
  for await (const name of (await folder()).keys()) found.push(name)
  return found
}

/** Puts a file there, past the store. */
async function put(name: string, bytes: BlobPart): Promise<void> {
  const writable = await (await (await folder()).getFileHandle(name, { create: true })).createWritable()
  await writable.write(new Blob([bytes]))
  await writable.close()
}

function ones(length: number): Uint8Array {
  return new Uint8Array(length).fill(1)
}

const mixed = 'Memory, 记忆, é and 😀\n'.repeat(1000)

/** Does without a method of file handles until the test is over. */
function without(method: 'createWritable'): void {
  const kept = FileSystemFileHandle.prototype[method]
  Reflect.deleteProperty(FileSystemFileHandle.prototype, method)
  onTestFinished(() => {
    FileSystemFileHandle.prototype[method] = kept
  })
}

describe('a store in OPFS', () => {
  it('keeps texts that are read after the page is another one', async () => {
    const answer = await scene(opfsSpillStore({ directory })).say(mixed)
    expect(bytesIn(answer)).toBeLessThanOrEqual(4096)
    const { content, calls, locator } = partsOf(answer)
    expect(await names()).toEqual([locator])
    const later = scene(opfsSpillStore({ directory }))
    expect(await readOn(later, { locator, offset: 0 })).toBe(mixed)
    expect((content[0] ?? '') + (await readOn(later, calls[0] ?? { locator }))).toBe(mixed)
    expect(await later.read({ locator, find: '记忆, É' })).toContain('offset 0: ')
  })

  it('keeps 5 MB', async () => {
    const text = 'x😀'.repeat(1_000_000)
    const tools = scene(opfsSpillStore({ directory }), { maxInlineBytes: 65_536 })
    const { locator } = partsOf(await tools.say(text))
    expect(await readOn(tools, { locator, offset: 0 })).toBe(text)
  })

  it('keeps what many calls put away at once', async () => {
    const tools = scene(opfsSpillStore({ directory }))
    const texts = Array.from({ length: 12 }, (_, at) => `${at} `.repeat(3000))
    const answers = await Promise.all(texts.map((text) => tools.say(text)))
    expect(await names()).toHaveLength(12)
    for (const [at, answer] of answers.entries())
      expect(await readOn(tools, { locator: partsOf(answer).locator, offset: 0 })).toBe(texts[at])
  })

  it('drops the oldest when there is no room for the next', async () => {
    const store = opfsSpillStore({ directory, maxBytes: 10_000 })
    const [first, second, third] = [newLocator(4000), newLocator(4000), newLocator(4000)]
    for (const locator of [first, second, third]) {
      await store.write(locator, ones(4000))
      await new Promise((resume) => setTimeout(resume, 20))
    }
    expect(await store.read(first, 0, 1)).toBeUndefined()
    expect(await store.read(second, 0, 1)).toEqual(ones(1))
    expect(await store.read(third, 3999, 4000)).toEqual(ones(1))
    await expect(store.write(newLocator(10_001), ones(10_001))).rejects.toMatchObject({
      reason: 'full',
    })
    expect(await names()).toHaveLength(2)
    await store.write(newLocator(10_000), ones(10_000))
    expect(await names()).toHaveLength(1)
  })

  it('keeps to its limit over several stores that write at once', async () => {
    const stores = [1, 2, 3].map(() => opfsSpillStore({ directory, maxBytes: 10_000 }))
    await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 5 }, () => store.write(newLocator(3000), ones(3000))),
      ),
    )
    const left = await names()
    expect(left.length).toBeGreaterThan(0)
    expect(left.length * 3000).toBeLessThanOrEqual(10_000)
  })

  it('goes over its limit by an eighth at most for what other tabs write', async () => {
    const [one, other] = [1, 2].map(() => opfsSpillStore({ directory, maxBytes: 80_000 }))
    const write = async (store: typeof one, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) await store?.write(newLocator(1000), ones(1000))
    }
    await write(one, 1)
    await write(other, 79)
    expect(await names()).toHaveLength(80)
    await write(one, 40)
    expect((await names()).length).toBeLessThanOrEqual(90)
  })

  it('drops all of its texts when it is cleared, and nothing else', async () => {
    const store = opfsSpillStore({ directory })
    const tools = scene(store)
    const { locator } = partsOf(await tools.say(mixed))
    await put('notes.txt', 'of somebody else')
    await put(`${newLocator(9000)}.crswap`, 'left behind')
    const writing = tools.say(mixed)
    await store.clear()
    await writing
    // What was being written when it was cleared came before or after it, as a whole.
    await store.clear()
    expect(await names()).toEqual(['notes.txt'])
    await expect(tools.read({ locator, offset: 0 })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_FILTER',
    })
  })

  it.each([
    ['nothing', 0],
    ['a part', 5000],
    ['all but a byte', 8999],
    ['more', 9001],
  ])('takes a file that holds %s for none', async (_name, held) => {
    const locator = newLocator(9000)
    await put(locator, ones(held) as Uint8Array<ArrayBuffer>)
    expect(await opfsSpillStore({ directory }).read(locator, 0, 4)).toBeUndefined()
  })

  it('leaves nothing behind when writing fails', async () => {
    const failure = new DOMException('No room.', 'QuotaExceededError')
    vi.spyOn(FileSystemWritableFileStream.prototype, 'write').mockRejectedValueOnce(failure)
    onTestFinished(() => void vi.restoreAllMocks())
    const error = vi.fn<(message: string, detail: unknown) => void>()
    const tools = scene(opfsSpillStore({ directory }), { logger: { error } })
    expect(await tools.say(mixed)).toBe(mixed)
    expect(error.mock.calls).toEqual([[expect.any(String), failure]])
    expect(await names()).toEqual([])
  })

  it('leaves the text as it is in a page that cannot write files', async () => {
    without('createWritable')
    const error = vi.fn<() => void>()
    const tools = scene(opfsSpillStore({ directory }), { logger: { error } })
    expect(await tools.say(mixed)).toBe(mixed)
    expect(error).toHaveBeenCalledOnce()
    expect(await names()).toEqual([])
  })

  it('writes in a worker without createWritable', async () => {
    const worker = new Worker(new URL('spill-worker.ts', import.meta.url), { type: 'module' })
    onTestFinished(() => worker.terminate())
    const store = wrap<SpillWorker>(worker)
    const locator = newLocator(9000)
    await store.write(locator, ones(9000))
    expect(await store.read(locator, 8990, 9000)).toEqual(ones(10))
    expect(await opfsSpillStore({ directory }).read(locator, 0, 9000)).toEqual(ones(9000))
  })

  it('leaves the text as it is where there is no OPFS', async () => {
    const denied = new DOMException('Not here.', 'SecurityError')
    vi.spyOn(navigator.storage, 'getDirectory')
      .mockRejectedValueOnce(denied)
      .mockRejectedValueOnce(denied)
    onTestFinished(() => void vi.restoreAllMocks())
    const error = vi.fn<(message: string, detail: unknown) => void>()
    const store = opfsSpillStore({ directory })
    expect(await scene(store, { logger: { error } }).say(mixed)).toBe(mixed)
    expect(error.mock.calls[0]?.[1]).toBe(denied)
    await expect(store.clear()).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      cause: denied,
    })
  })

  it('leaves the text as it is when the disk is full', async () => {
    const { usage = 0 } = await navigator.storage.estimate()
    const { origin } = location
    await cdp().send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 20_000 })
    onTestFinished(async () => {
      await cdp().send('Storage.overrideQuotaForOrigin', { origin })
    })
    const error = vi.fn<(message: string, detail: unknown) => void>()
    const tools = scene(opfsSpillStore({ directory }), { logger: { error } })
    const text = mixed.repeat(50)
    expect(await tools.say(text)).toBe(text)
    expect(error.mock.calls[0]?.[1]).toMatchObject({ name: 'QuotaExceededError' })
    expect(await names()).toEqual([])
  })

  it('neither serves nor keeps what a worker left when it ended while it wrote', async () => {
    const locator = newLocator(9000)
    const code = `
      const root = await navigator.storage.getDirectory()
      const folder = await root.getDirectoryHandle('${directory}', { create: true })
      const file = await folder.getFileHandle('${locator}', { create: true })
      const writable = await file.createWritable()
      await writable.write(new Uint8Array(9000))
      postMessage('written')`
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    const worker = new Worker(url, { type: 'module' })
    await new Promise((resume) => worker.addEventListener('message', resume, { once: true }))
    const store = opfsSpillStore({ directory })
    expect(await store.read(locator, 0, 4)).toBeUndefined()
    worker.terminate()
    URL.revokeObjectURL(url)
    expect(await store.read(locator, 0, 4)).toBeUndefined()
    // The browser lets go of the file a moment later.
    await vi.waitFor(() => store.clear(), { timeout: 10_000 })
    expect(await names()).toEqual([])
  })

  it.each(['', '.', '..', 'a/b', '../a', 'a\\b', 5, null])('refuses %j as its directory', (name) => {
    expect(() => opfsSpillStore({ directory: name as string })).toThrow(
      expect.objectContaining({
        code: 'SESSION_QUERY_INVALID_CONFIG',
        message: expect.stringMatching(/^directory is .*without slashes/) as string,
      }),
    )
  })
})
