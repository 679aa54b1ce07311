/** Variables by name, as texts. */
export type Variables = ReadonlyMap<string, string>

/** What all texts of a request may have together once they are filled in, in UTF-16 units. */
const MAX_TEXT = 64 * 1024 * 1024
/** What a variable counts for besides its value: there is an end to those that hold others, however short. */
const EACH = 1_000
const VARIABLE = /\{\{([^{}]*)\}\}/g

/**
 * The variables that hold where a list of them stands. One without a value has none here either: Postman exports what was
 * saved to be shared, and leaves values empty that were only used.
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

/** A value as it is written into a request; undefined: there is none. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Fills variables into the texts of a request. */
export interface Filler {
  /** A text with the values in place of `{{names}}`, also of those within values. */
  fill(text: string): string
  /** Why the texts so far cannot be used; undefined: they can. */
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
