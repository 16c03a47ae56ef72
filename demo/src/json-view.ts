import { h, type Child } from './dom.ts'
import { longText } from './long-text.ts'

const tokens = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g

/** A value as indented JSON, its keys and values told apart. */
export function jsonView(value: unknown): HTMLElement {
  const code = h('code')
  return h('pre', { class: 'json' }, ...longText(code, JSON.stringify(value, null, 2), coloured))
}

function coloured(text: string): readonly Child[] {
  const nodes: Child[] = []
  let at = 0
  for (const match of text.matchAll(tokens)) {
    const [token, string, colon, number] = match
    nodes.push(text.slice(at, match.index))
    if (string === undefined)
      nodes.push(h('span', { class: number === undefined ? 'word' : 'number' }, token))
    else nodes.push(h('span', { class: colon === undefined ? 'string' : 'key' }, string), colon ?? '')
    at = match.index + token.length
  }
  nodes.push(text.slice(at))
  return nodes
}
