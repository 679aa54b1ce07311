import { z } from 'zod'

/** A step into a JSON value: to a member by its name, to an item by its index, or to every item. */
type Step = string | number | typeof every

const every = Symbol('every item')

/** An edit returns this to remove a value. */
export const gone = Symbol('gone')

/** The steps of a path such as `data[].priceTry`, `[].rate` or `packages[0].desi`. */
type MemberPath = readonly Step[]

const form = /^(\[\d*\]|[^.[\]]+)(\.[^.[\]]+|\[\d*\])*$/

/** A path from the root of an answer's body: names joined by dots, `[]` for every item of an array, `[0]` for one. */
export function memberPath() {
  return z.string().max(500).regex(form, 'Must be a path such as data[].priceTry or [].rate')
}

/** Splits a path into its steps. The path must have the form of `memberPath`. */
export function readPath(path: string): MemberPath {
  return Array.from(path.matchAll(/\[(\d*)\]|[^.[\]]+/g), ([name, index]): Step => {
    if (index === undefined) return name
    return index === '' ? every : Number(index)
  })
}

/** Returns the value, edited at every place that the path matches. Changes nothing if it matches none. */
export function editAt(value: unknown, path: MemberPath, edit: (at: unknown) => unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return edit(value)
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (step === every || step === index ? editAt(item, rest, edit) : item))
    return items.filter((item) => item !== gone)
  }
  if (typeof value !== 'object' || value === null || typeof step !== 'string') return value
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    name === step ? editAt(member, rest, edit) : member,
  ])
  return Object.fromEntries(members.filter(([, member]) => member !== gone))
}
