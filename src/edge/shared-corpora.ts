import { quoted } from '../core/errors.ts'
import { invalidConfig, type ResolvedOptions } from '../core/options.ts'
import type { DurableStorage } from './durable-storage.ts'
import type { OpenedDurable } from './open-durable-corpus.ts'

/** What one who opens a corpus asks for. */
interface Wish {
  readonly name: string
  readonly options: ResolvedOptions
  readonly onIndexBehind: (() => void) | undefined
}

interface SharedCorpus {
  readonly opened: OpenedDurable
  readonly options: ResolvedOptions
  users: number
  onIndexBehind: (() => void) | undefined
}

const corpora = new WeakMap<DurableStorage, Map<string, SharedCorpus>>()

/**
 * The corpus of this name, opened unless it is open: two over the same tables would each bring the index on, and get in
 * each other's way. It is closed when all who have it have closed it.
 *
 * @param open opens it, and has it call what it is given when the index is behind
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` when it is open with other options
 */
export function shared(
  storage: DurableStorage,
  wish: Wish,
  open: (onIndexBehind: () => void) => OpenedDurable,
): OpenedDurable {
  const ofStorage = corpora.get(storage) ?? new Map<string, SharedCorpus>()
  corpora.set(storage, ofStorage)
  const corpus = ofStorage.get(wish.name) ?? begun(wish, open)
  refuseOthers(wish, corpus)
  ofStorage.set(wish.name, corpus)
  corpus.users += 1
  corpus.onIndexBehind = wish.onIndexBehind ?? corpus.onIndexBehind

  async function leave(): Promise<void> {
    corpus.users -= 1
    if (corpus.users > 0) return
    ofStorage.delete(wish.name)
    await corpus.opened.corpus.close()
  }

  let left: Promise<void> | undefined
  const close = (): Promise<void> => (left ??= leave())
  return {
    ...corpus.opened,
    corpus: { ...corpus.opened.corpus, close, [Symbol.asyncDispose]: close },
  }
}

function begun(
  { options, onIndexBehind }: Wish,
  open: (behind: () => void) => OpenedDurable,
): SharedCorpus {
  const corpus: SharedCorpus = {
    opened: open(() => corpus.onIndexBehind?.()),
    options,
    users: 0,
    onIndexBehind,
  }
  return corpus
}

function refuseOthers({ name, options }: Wish, { options: first }: SharedCorpus): void {
  for (const option of Object.keys(options) as (keyof ResolvedOptions)[]) {
    if (options[option] === first[option]) continue
    throw invalidConfig(
      `${option} is ${quoted(options[option])}, and the corpus ${quoted(name)} of this object is open already with ${quoted(first[option])}.`,
    )
  }
}
