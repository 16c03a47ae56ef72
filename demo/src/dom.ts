export type Child = Node | string | false | undefined

export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined
}

/** An element with attributes and children. Strings become text nodes, never markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...present(children))
  return element
}

export function button(
  attributes: Attributes,
  children: readonly Child[],
  onClick: () => void,
): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, ...children)
  element.addEventListener('click', onClick)
  return element
}

export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...present(children))
}

/** The element of index.html that has this id and is of this kind. */
export function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} with the id ${id}`)
  return found
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined && child !== false)
}
