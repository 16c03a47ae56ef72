import { openCorpus } from 'session-query'
import { expect, it, onTestFinished } from 'vitest'
import { session, userMessage } from '../fixtures/logs.ts'

it('what an export left behind when its worker ended is removed at the next opening', async () => {
  const name = 'left-behind'
  const worker = new Worker(new URL('../../dist/worker.js', import.meta.url), { type: 'module' })
  const first = await openCorpus({ name, storage: 'opfs', worker })
  await first.putSession(session('s', [userMessage('the shop')]))
  await first.exportDatabase()
  worker.terminate()
  await expect.poll(() => scratchFiles(name)).toBe(1)

  const second = await openCorpus({ name, storage: 'opfs' })
  onTestFinished(() => second.close())
  expect(await second.listSessions()).toHaveLength(1)
  await second.close()
  expect(await scratchFiles(name)).toBe(0)
})

/** How many files of the pool are scratch databases: each begins with the path that it stands for. */
async function scratchFiles(name: string): Promise<number> {
  let folder = await navigator.storage.getDirectory()
  for (const part of ['session-query', name, '.opaque']) folder = await folder.getDirectoryHandle(part)
  let count = 0
  for await (const handle of folder.values()) {
    if (!(handle instanceof FileSystemFileHandle)) continue
    const head = await (await handle.getFile()).slice(0, 9).text()
    if (head === '/scratch-') count += 1
  }
  return count
}
