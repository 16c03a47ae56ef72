import type { Answer } from './agent-tools.ts'
import { button, fill, part } from './dom.ts'
import { firstHitIn, type FirstHit } from './first-hit.ts'
import { formatBytes, formatCount } from './format.ts'

/** What the model sends and what it gets for it, to the letter. */
export interface AgentAnswer {
  clear(): void
  showRunning(): void
  show(tool: string, args: Readonly<Record<string, unknown>>, answer: Answer): void
  showCancelled(): void
}

/** A call that is over sooner is not said to be running. */
const runningAfterMs = 200
/** What a model may do next with a hit. */
const next = ['session_event_read', 'session_event_trace', 'session_trace']

/** @param goOn called with the tool that is to be called for a hit */
export function createAgentAnswer(goOn: (tool: string, hit: FirstHit) => void): AgentAnswer {
  const section = part('agent-answer', HTMLElement)
  const outcome = part('agent-outcome', HTMLParagraphElement)
  let timer: number | undefined

  function put(call: string, state: string, said: string, text: string, hit?: FirstHit): void {
    window.clearTimeout(timer)
    section.dataset['outcome'] = state
    part('agent-call', HTMLPreElement).textContent = call
    outcome.textContent = said
    const shown = part('agent-text', HTMLPreElement)
    shown.textContent = text
    shown.scrollTop = 0
    fill(part('agent-next', HTMLDivElement), ...waysOn(hit))
  }

  function waysOn(hit: FirstHit | undefined): (HTMLElement | string)[] {
    if (hit === undefined) return []
    const ways = next.map((tool) =>
      button({ class: 'text-button' }, [tool], () => {
        goOn(tool, hit)
      }),
    )
    return ['Go on from the first hit:', ...ways]
  }

  return {
    clear() {
      put('', 'none', '', '')
    },
    showRunning() {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => {
        section.dataset['outcome'] = 'running'
        outcome.textContent = 'Running…'
      }, runningAfterMs)
    },
    show(tool, args, { text, isError }) {
      const size = `${formatCount(text.length, 'character')}, ${formatBytes(bytesOf(text))}`
      put(
        `${tool} ${JSON.stringify(args)}`,
        isError ? 'error' : 'text',
        isError ? `An error · ${size}` : size,
        text,
        isError ? undefined : firstHitIn(tool, text),
      )
    },
    showCancelled() {
      put('', 'none', 'Cancelled', '')
    },
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
