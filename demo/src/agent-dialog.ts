import type { SessionCorpus } from 'session-query'

import { createAgentAnswer } from './agent-answer.ts'
import { createAgentCaller } from './agent-caller.ts'
import { createAgentTools, type AgentTools } from './agent-tools.ts'
import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { part } from './dom.ts'
import type { FirstHit } from './first-hit.ts'
import { createLatest } from './latest.ts'
import { messageOf } from './notices.ts'
import { createToolChoice, type ToolChoice } from './tool-choice.ts'

/** Calls the tools on behalf of a session, and shows what a model gets. */
export function createAgentDialog(corpus: SessionCorpus, state: AppState, catalog: Catalog): void {
  const dialog = part('agent', HTMLDialogElement)
  const form = part('agent-form', HTMLFormElement)
  const cancel = part('agent-cancel', HTMLButtonElement)
  const latest = createLatest()
  const answer = createAgentAnswer(goOn)
  const caller = createAgentCaller(catalog, begin)
  let tools: AgentTools | undefined
  let toolsOf: string | undefined
  let choice: ToolChoice | undefined
  let searched = ''

  function open(): void {
    caller.offer(state.view().session)
    if (caller.id() !== toolsOf) begin()
    takeSearch()
    dialog.showModal()
    choice?.form().focus()
  }

  /** Another session: nothing that was shown to the one before may stand under its name. */
  function begin(): void {
    stop()
    toolsOf = caller.id()
    tools = toolsOf === undefined ? undefined : createAgentTools(corpus, toolsOf)
    if (tools !== undefined) choice ??= createToolChoice(tools.list)
    answer.clear()
  }

  /** What is searched for on the page is asked for here too, until something else is typed. */
  function takeSearch(): void {
    const query = part('query', HTMLInputElement).value.trim()
    if (query === '' || query === searched) return
    searched = query
    for (const tool of ['session_search', 'session_event_search']) choice?.formOf(tool)?.put({ query })
  }

  function run(): void {
    const called = tools
    if (called === undefined || choice === undefined) return
    const tool = choice.tool()
    const args = choice.form().values()
    dialog.dataset['running'] = ''
    answer.showRunning()
    latest.run(
      (signal) => called.call(tool, args, signal),
      (given) => {
        settle()
        answer.show(tool, args, given)
        // Where there is no room for both, what was asked makes room.
        part('agent-answer', HTMLElement).scrollIntoView({ block: 'start' })
      },
      (error) => {
        settle()
        answer.show(tool, args, { text: messageOf(error), isError: true })
      },
    )
  }

  function settle(): void {
    delete dialog.dataset['running']
    if (document.activeElement === cancel) part('agent-run', HTMLButtonElement).focus()
  }

  /** Returns whether there was something to stop. */
  function stop(): boolean {
    if (dialog.dataset['running'] === undefined) return false
    latest.cancel()
    settle()
    answer.showCancelled()
    return true
  }

  function goOn(tool: string, { session_id, seq }: FirstHit): void {
    choice?.choose(tool)
    choice?.form().put({ session_id, seq: String(seq) })
    choice?.form().focus()
    run()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    run()
  })
  // Enter begins a new line where there may be several.
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.requestSubmit()
  })
  cancel.addEventListener('click', stop)
  dialog.addEventListener('cancel', (event) => {
    if (stop()) event.preventDefault()
  })
  dialog.addEventListener('close', stop)
  part('agent-close', HTMLButtonElement).addEventListener('click', () => {
    dialog.close()
  })
  part('ask-as-agent', HTMLButtonElement).addEventListener('click', open)
  catalog.onChange(() => {
    if (!dialog.open) return
    caller.offer(undefined)
    if (caller.id() !== toolsOf) begin()
  })
}
