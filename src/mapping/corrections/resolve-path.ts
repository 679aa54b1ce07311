import { pathOf, type Segment } from '../../common/json-path.ts'
import type { Place } from './place-lines.ts'
import type { Part } from './written-line.ts'

/** The v1 path of a line as its shape names it: from the object, or from a row or record around it (`FieldRule.anchor`). */
export interface Resolved {
  readonly path: string
  readonly anchor: number | undefined
}

/** Members of v1's envelope, which are about the whole answer. */
const ENVELOPE = ['meta', 'success', 'message']

/** What the gateway reads of v1's `meta`, because it answers pages of its own. */
const COUNTS = ['total', 'page', 'perPage', 'pageCount']

/** Finds a path of v1 from an object at `place`. A text says why it cannot be read or written there. */
export function resolve(v1: readonly Segment[], place: Place, part: Part): Resolved | string {
  const beneath = (start: readonly Segment[]): string | undefined => {
    const isBeneath = v1.length > start.length && start.every((name, at) => v1[at] === name)
    const rest = v1.slice(start.length)
    return isBeneath && !rest.includes(null) ? rest.join('.') : undefined
  }
  const own = beneath(place.v1)
  if (own !== undefined && place.v1[0] === 'meta' && !COUNTS.includes(own))
    return 'the gateway answers pages of its own, so of meta it has only total, page, perPage and pageCount'
  if (own !== undefined) return { path: own, anchor: undefined }
  // A request's row can fill members of its own v1 row, but not of one around it.
  const most = part === 'response' ? place.rows.length : 1
  for (let levels = 0; levels < most; levels++) {
    const path = beneath(place.rows.at(-1 - levels) ?? [])
    if (path !== undefined) return { path, anchor: levels }
  }
  return whyNot(v1, place, part)
}

function whyNot(v1: readonly Segment[], { v1: object, rows }: Place, part: Part): string {
  const [[root = []], row = []] = [rows, rows.at(-1)]
  const path = pathOf(v1)
  if (v1.at(-1) === null) return `${path} names each item of a list; name the list, or a member of the items`
  if (part === 'request')
    return object.includes(null)
      ? `${path} is not in the same item; write ${pathOf([...row, 'name'])}`
      : `${path} leads into a list; name a member of v1's body outside lists`
  if (v1.includes(null) && !object.includes(null)) return `${path} is in a list, and this member is in none`
  if (v1[0] !== root[0])
    return ENVELOPE.includes(String(v1[0]))
      ? `${path} is about the whole answer, which no row or record can show; name a member of ${pathOf(root)}`
      : `v1 answers this operation in ${pathOf(root)}; write ${pathOf([...root, 'name'])}`
  if (v1.length <= root.length) return `${path} is the whole of v1's answer; name a member of ${pathOf(root)}`
  return v1.includes(null)
    ? `${path} is in another list than this member, which is in ${pathOf(object)}`
    : `${path} is not in ${pathOf(object)}, nor around it`
}
