import { pathOf, type Segment } from '../../common/json-path.ts'
import type { Context, Place } from './place-lines.ts'

/** The v1 path of a line as its shape names it: from the object, or from a row or record around it (`FieldRule.anchor`). */
export interface Resolved {
  readonly path: string
  readonly anchor: number | undefined
}

/** Members of v1's envelope, which are about the whole answer. */
const ENVELOPE = ['meta', 'success', 'message']

/** Finds a path of v1 from an object at `place`. Refuses one that cannot be read or written there, and returns undefined. */
export function resolve(v1: readonly Segment[], place: Place, context: Context, line: string): Resolved | undefined {
  const beneath = (start: readonly Segment[]): string | undefined => {
    const isBeneath = v1.length > start.length && start.every((name, at) => v1[at] === name)
    const rest = v1.slice(start.length)
    return isBeneath && !rest.includes(null) ? rest.join('.') : undefined
  }
  const own = beneath(place.v1)
  if (own !== undefined) return { path: own, anchor: undefined }
  if (context.part === 'response') {
    for (let levels = 0; levels < place.rows.length; levels++) {
      const path = beneath(place.rows.at(-1 - levels) ?? [])
      if (path !== undefined) return { path, anchor: levels }
    }
  }
  context.refuse(line, whyNot(v1, place, context.part))
  return undefined
}

function whyNot(v1: readonly Segment[], { v1: object, rows }: Place, part: Context['part']): string {
  const path = pathOf(v1)
  const from = part === 'response' ? 'from' : 'to'
  if (v1.at(-1) === null) return `${from}: ${path} names each item of a list; name the list, or a member of the items`
  if (part === 'request')
    return object.length === 0
      ? `to: ${path} leads into a list; name a member of v1's body outside lists`
      : `to: ${path} is not in the same object or item; write ${pathOf(object)}.name`
  const [root] = rows[0] ?? []
  if (root !== undefined && v1[0] !== root) {
    return ENVELOPE.includes(String(v1[0]))
      ? `from: ${path} is about the whole answer, which no row or record can show; name a member of ${pathOf(rows[0] ?? [])}`
      : `from: v1 answers this operation in ${pathOf(rows[0] ?? [])}; write ${pathOf([...(rows[0] ?? []), 'name'])}`
  }
  if (v1.length <= (rows[0]?.length ?? 0))
    return `from: ${path} is the whole of v1's answer; name a member of ${pathOf(rows[0] ?? [])}`
  return v1.includes(null)
    ? `from: ${path} is in another list than this member, which is in ${pathOf(object)}`
    : `from: ${path} is not in ${pathOf(object)}, nor around it`
}
