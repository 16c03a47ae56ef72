import type { SessionLog } from '../../src/core/session.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { asking, type Ask, type ServedWorker } from './served-worker.ts'

/** Both callers have the same session ids and the same `cwd`, so that the workspace alone keeps them apart. */
export const workspaces = ['north', 'south'] as const
export type Workspace = (typeof workspaces)[number]

/** A word that is in the sessions of one workspace alone. */
export const wordOf = { north: 'lighthouse', south: 'vineyard' } as const

export function logsOf(workspace: Workspace): readonly SessionLog[] {
  const word = wordOf[workspace]
  const header = { cwd: '/w' }
  return [
    session(
      'me',
      [userMessage(`my own ${word}`), { type: 'step/start', data: { turn: 1, step: 1 } }],
      header,
    ),
    session('plan', [userMessage(`the plan of the ${word}`)], header),
    session(`only-${workspace}`, [userMessage(`the key of the ${word}`)], header),
  ]
}

export async function put(ask: Ask, log: SessionLog): Promise<Response> {
  const body = JSON.stringify(log)
  return ask(`/sessions/${encodeURIComponent(log.header.id)}`, { method: 'PUT', body })
}

/** Puts the sessions of both, each with its own token. */
export async function fill(worker: ServedWorker): Promise<void> {
  for (const workspace of workspaces) {
    const ask = await asking(worker, workspace)
    for (const log of logsOf(workspace)) {
      const response = await put(ask, log)
      if (response.status !== 201) throw new Error(await response.text())
    }
  }
}
