import { expose } from 'comlink'
import { opfsSpillStore } from '../../src/tools/opfs-spill-store.ts'

/** A store in a worker of a browser that can write files there alone. */
export interface SpillWorker {
  write(locator: string, bytes: Uint8Array): Promise<void>
  read(locator: string, from: number, to: number): Promise<Uint8Array | undefined>
}

Reflect.deleteProperty(FileSystemFileHandle.prototype, 'createWritable')

const store: SpillWorker = opfsSpillStore({ directory: 'spill-test' })

expose({
  write: (locator, bytes) => store.write(locator, bytes),
  read: (locator, from, to) => store.read(locator, from, to),
} satisfies SpillWorker)
