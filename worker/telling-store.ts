import type { CorpusChange, SessionStore, WriteResult } from '../src/core/corpus.ts'

/** A store that tells of what is changed through it. */
export function tellingStore(store: SessionStore, tell: (change: CorpusChange) => void): SessionStore {
  function written(result: WriteResult): WriteResult {
    const { sessionId } = result
    if (result.created) tell({ kind: 'added', sessionId })
    else if (result.appended > 0) tell({ kind: 'appended', sessionId })
    return result
  }

  async function isStored(sessionId: string): Promise<boolean> {
    return (await store.filterSessions({ filters: [{ kind: 'id', values: [sessionId] }] })).length > 0
  }

  return {
    ...store,
    putSession: async (request, call) => written(await store.putSession(request, call)),
    appendEvents: async (request, call) => written(await store.appendEvents(request, call)),
    async deleteSession(request, call) {
      await store.deleteSession(request, call)
      tell({ kind: 'removed', sessionId: request.sessionId })
    },
    async mergeImport(request, call) {
      const step = await store.mergeImport(request, call)
      for (const change of step.changes) tell(change)
      return step
    },
    async clearStep(request, call) {
      const step = await store.clearStep(request, call)
      for (const sessionId of step.removed) tell({ kind: 'removed', sessionId })
      return step
    },
    async showLive(request, call) {
      const { id: sessionId } = request.header
      const known = request.from > 0 || (await isStored(sessionId))
      await store.showLive(request, call)
      tell({ kind: known ? 'appended' : 'added', sessionId })
    },
    async hideLive(request, call) {
      await store.hideLive(request, call)
      const { sessionId } = request
      if (!(await isStored(sessionId))) tell({ kind: 'removed', sessionId })
    },
  }
}
