import { quoted } from '../core/errors.ts'
import type { SessionEvent } from '../core/session.ts'

/** `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** An event as a sentence names it. */
export function named(event: SessionEvent): string {
  return `the event ${quoted(event.type)} with seq ${event.seq}`
}

/** `text` with a capital at its beginning and without a stop at its end, to be continued. */
export function opening(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '')
}
