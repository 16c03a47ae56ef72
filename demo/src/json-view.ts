import { h } from './dom.ts'

// Beyond this a coloured copy costs more than it helps.
const colouredLength = 200_000

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g

/** A value as indented JSON, its keys and values told apart. */
export function jsonView(value: unknown): HTMLElement {
  const text = JSON.stringify(value, null, 2)
  const code = h('code')
  if (text.length > colouredLength) code.append(text)
  else code.append(...coloured(text))
  return h('pre', { class: 'json', tabindex: 0, 'aria-label': 'Event as JSON' }, code)
}

function coloured(text: string): (Node | string)[] {
  const nodes: (Node | string)[] = []
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
