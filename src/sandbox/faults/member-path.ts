import { z } from 'zod'

/**
 * A step from a value of JSON to one within it: a member by its name, an item by its index, or every item.
 */
type Step = string | number | typeof every

const every = Symbol('every item')

/** What an edit gives back for a value that is to go. */
export const gone = Symbol('gone')

/** The steps of a path such as `data[].priceTry`, `[].rate`, `packages[0].desi`. */
export type MemberPath = readonly Step[]

const form = /^(\[\d*\]|[^.[\]]+)(\.[^.[\]]+|\[\d*\])*$/

/** A path in an answer, from the root of its body: names joined by dots, `[]` for every item of an array, `[0]` for one. */
export function memberPath() {
  return z.string().max(500).regex(form, 'Must be a path such as data[].priceTry or [].rate')
}

/** The steps of a path that has the form of one. */
export function readPath(path: string): MemberPath {
  return Array.from(path.matchAll(/\[(\d*)\]|[^.[\]]+/g), ([name, index]): Step => {
    if (index === undefined) return name
    return index === '' ? every : Number(index)
  })
}

/** The value with every place that the path leads to edited. Where the path leads nowhere nothing changes. */
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
