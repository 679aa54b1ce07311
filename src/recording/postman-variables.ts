/** Variables by name, as texts. */
export type Variables = ReadonlyMap<string, string>

/** The total length of all texts of a request after filling in variables, in UTF-16 units. */
const MAX_TEXT = 64 * 1024 * 1024
/** What each variable adds to that length in addition to its value, so that nesting of short variables also ends. */
const EACH = 1_000
const VARIABLE = /\{\{([^{}]*)\}\}/g

/**
 * Returns the variables in scope inside a folder: the outer ones, overridden by its own list. A variable with an empty value
 * is left out: Postman exports only shared values and leaves local ones empty.
 */
export function within(outer: Variables, list: unknown): Variables {
  if (!Array.isArray(list)) return outer
  const own = list.flatMap((variable: unknown) => {
    const { key, id, value, disabled } = Object(variable) as Record<string, unknown>
    const name = key ?? id
    const text = textOf(value)
    return typeof name === 'string' && text && disabled !== true ? [[name, text] as const] : []
  })
  return new Map([...outer, ...own])
}

/** Returns a value as request text; undefined: there is no value. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Fills variables into the texts of a request. */
export interface Filler {
  /** Replaces each `{{name}}` with its value, also inside values. */
  fill(text: string): string
  /** Returns why the texts so far cannot be used; undefined: they can. */
  problem(): string | undefined
}

export function filler(variables: Variables): Filler {
  let problem: string | undefined
  let left = MAX_TEXT

  const fill = (text: string, open: readonly string[]): string =>
    text.replaceAll(VARIABLE, (_, written: string) => {
      const name = written.trim()
      const value = variables.get(name)
      if (value === undefined) problem ??= `{{${name}}} has no value among the variables of the collection`
      else if (open.includes(name)) problem ??= `{{${name}}} refers to itself`
      else left -= value.length + EACH
      if (left < 0) problem ??= `its variables make it longer than ${MAX_TEXT} characters`
      return value === undefined || problem !== undefined ? '' : fill(value, [...open, name])
    })

  return { fill: (text) => fill(text, []), problem: () => problem }
}
