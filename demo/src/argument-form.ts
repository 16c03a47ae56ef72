import type { ToolInputSchema } from 'session-query/tools'

import { argumentField } from './argument-field.ts'
import { h } from './dom.ts'
import { formatCount } from './format.ts'

/** The arguments of one tool. It keeps what was filled in. */
export interface ArgumentForm {
  readonly element: HTMLElement
  /** What is sent: only what was filled in. */
  values(): Readonly<Record<string, unknown>>
  /** Fills in what the tool takes of this. */
  put(values: Readonly<Record<string, string>>): void
  focus(): void
}

/** As many that may be left out stand openly; more are folded away. */
const mostOpen = 3

export function createArgumentForm(tool: string, schema: ToolInputSchema): ArgumentForm {
  const fields = Object.entries(schema.properties).map(([name, one]) => {
    const required = schema.required.includes(name)
    return { name, required, ...argumentField(`argument-${tool}-${name}`, name, one, required) }
  })
  const needed = fields.filter(({ required }) => required)
  const optional = fields.filter(({ required }) => !required)
  const folded =
    optional.length > mostOpen &&
    h(
      'details',
      {},
      h('summary', {}, `${formatCount(optional.length, 'argument')} that may be left out`),
      h('div', { class: 'arguments' }, ...optional.map(({ element }) => element)),
    )
  const rest = folded === false ? optional.map(({ element }) => element) : [folded]
  return {
    element: h('div', { class: 'arguments' }, ...needed.map(({ element }) => element), ...rest),
    values: () =>
      Object.fromEntries(
        fields.flatMap((field) => {
          const given = field.value()
          return given === undefined ? [] : [[field.name, given]]
        }),
      ),
    put(values) {
      for (const field of fields) {
        const text = values[field.name]
        if (text === undefined) continue
        field.put(text)
        // What is filled in has to be seen.
        if (folded !== false && !field.required) folded.open = true
      }
    },
    focus() {
      const [first] = [...needed, ...optional]
      first?.focus()
    },
  }
}
