import { sessionToolsGuidance, type SessionTool } from 'session-query/tools'

import { createArgumentForm, type ArgumentForm } from './argument-form.ts'
import { fill, h, part } from './dom.ts'

/** Which tool is called, what the model is told of it, and its arguments. */
export interface ToolChoice {
  tool(): string
  choose(name: string): void
  form(): ArgumentForm
  /** The arguments of any tool, also of one that is not chosen; undefined where there is no such tool. */
  formOf(name: string): ArgumentForm | undefined
}

export function createToolChoice(tools: readonly SessionTool[]): ToolChoice {
  const forms = new Map(
    tools.map(({ name, inputSchema }) => [name, createArgumentForm(name, inputSchema)]),
  )
  const radios = tools.map(({ name }) => h('input', { type: 'radio', name: 'tool', value: name }))
  let chosen = tools[0]

  function choose(name: string): void {
    chosen = tools.find((tool) => tool.name === name) ?? chosen
    if (chosen === undefined) return
    for (const radio of radios) radio.checked = radio.value === chosen.name
    part('agent-tool-title', HTMLHeadingElement).textContent = chosen.title
    part('agent-tool-description', HTMLParagraphElement).textContent = chosen.description
    fill(part('agent-arguments', HTMLDivElement), form().element)
  }

  function form(): ArgumentForm {
    const found = forms.get(chosen?.name ?? '')
    if (found === undefined) throw new Error('there is no tool to choose')
    return found
  }

  for (const radio of radios) {
    radio.addEventListener('change', () => {
      choose(radio.value)
    })
  }
  fill(
    part('agent-tools', HTMLDivElement),
    ...radios.map((radio) => h('label', {}, radio, h('span', {}, radio.value))),
  )
  part('agent-guidance', HTMLParagraphElement).textContent = sessionToolsGuidance
  choose(chosen?.name ?? '')
  return { tool: () => chosen?.name ?? '', choose, form, formOf: (name) => forms.get(name) }
}
