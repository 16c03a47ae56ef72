import type { ArgumentSchema } from 'session-query/tools'

import { h } from './dom.ts'

/** One argument of a tool, to be filled in. */
export interface ArgumentField {
  readonly element: HTMLElement
  /** What is sent; undefined where it is left out. */
  value(): unknown
  put(text: string): void
  focus(): void
}

interface Control {
  readonly element: HTMLElement
  readonly kind: string
  readonly value: () => unknown
  readonly put: (text: string) => void
  readonly focus: () => void
}

/** @param id of its own on the page */
export function argumentField(
  id: string,
  name: string,
  schema: ArgumentSchema,
  required: boolean,
): ArgumentField {
  const help = schema.description === undefined ? undefined : `${id}-help`
  const choices = choicesOf(schema)
  const attributes = { id, 'aria-describedby': help, 'aria-required': required && 'true' }
  const control =
    choices === undefined ? typedControl(schema, attributes) : choiceControl(choices, help, name)
  const words = [
    h('code', {}, name),
    h('span', { class: 'kind' }, control.kind),
    required && h('span', { class: 'required' }, 'required'),
  ]
  const { element, value, put, focus } = control
  return {
    element: h(
      'div',
      { class: 'argument' },
      choices === undefined
        ? h('label', { for: id }, ...words)
        : h('div', { class: 'label' }, ...words),
      element,
      help !== undefined && h('p', { class: 'help', id: help }, schema.description),
    ),
    value,
    put,
    focus,
  }
}

function typedControl(
  schema: ArgumentSchema,
  attributes: Readonly<Record<string, string | false | undefined>>,
): Control {
  if (schema.type === 'boolean') {
    const options = [h('option', { value: '' }, 'left out'), h('option', {}, 'true')]
    const select = h('select', attributes, ...options, h('option', {}, 'false'))
    return typed(select, 'true or false', (text) => text === 'true')
  }
  const plain = { ...attributes, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }
  if (schema.type === 'array') {
    return typed(h('textarea', { ...plain, rows: 2 }), 'list, one a line', (text) =>
      text.split('\n').filter((line) => line !== ''),
    )
  }
  if (schema.type === 'integer') {
    // What is no number is sent as it is: the tool has to say what is wrong with it.
    return typed(h('input', { ...plain, inputmode: 'numeric' }), 'whole number', (text) =>
      /^-?\d{1,15}$/.test(text) ? Number(text) : text,
    )
  }
  return typed(h('input', plain), 'text', (text) => text)
}

/** @param sent what is sent for a text that is there */
function typed(
  element: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  kind: string,
  sent: (text: string) => unknown,
): Control {
  return {
    element,
    kind,
    value: () => (element.value === '' ? undefined : sent(element.value)),
    put(text) {
      element.value = text
    },
    focus() {
      element.focus()
    },
  }
}

/** Boxes for the values of a closed set; where one value alone is taken, the first that is ticked. */
function choiceControl(choices: Choices, help: string | undefined, name: string): Control {
  const boxes = choices.values.map((value) => h('input', { type: 'checkbox', value }))
  const labels = boxes.map((box) => h('label', { class: 'check' }, box, h('span', {}, box.value)))
  return {
    element: h(
      'div',
      { class: 'boxes', role: 'group', 'aria-label': name, 'aria-describedby': help },
      ...labels,
    ),
    kind: choices.many ? 'any of' : 'one of',
    value() {
      const ticked = boxes.filter((box) => box.checked).map((box) => box.value)
      return ticked.length === 0 ? undefined : choices.many ? ticked : ticked[0]
    },
    put(text) {
      for (const box of boxes) box.checked = box.value === text
    },
    focus() {
      boxes[0]?.focus()
    },
  }
}

interface Choices {
  readonly values: readonly string[]
  readonly many: boolean
}

function choicesOf(schema: ArgumentSchema): Choices | undefined {
  const text = schema.type === 'array' ? schema.items : schema
  if (text.type !== 'string' || text.enum === undefined) return undefined
  return { values: text.enum, many: schema.type === 'array' }
}
