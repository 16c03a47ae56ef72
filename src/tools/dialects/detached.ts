import type { ToolInputSchema } from '../tool.ts'

/** A plain copy that is the caller's own, all through: changing it changes nothing of ours. */
export type Detached<Value> = Value extends readonly (infer Item)[]
  ? Detached<Item>[]
  : Value extends object
    ? { -readonly [Name in keyof Value]: Detached<Value[Name]> }
    : Value

/** JSON Schema of a tool's arguments, as the caller's own. */
export type DetachedSchema = Detached<ToolInputSchema>

/** Copies plain data. */
export function detached<Value>(value: Value): Detached<Value> {
  return structuredClone(value) as Detached<Value>
}
