import { boundedPath, itemsPath, memberPath, segmentsOf } from '../compare/diff/path.ts'
import type { KindBits } from './value-kind.ts'

/** A place in the bodies of an operation. */
export interface Member {
  /** As in `src/compare/diff/path.ts`. */
  readonly path: string
  /** Whether it stands for all places that are not told apart. */
  readonly isOther: boolean
  /** The kinds of its values in the current exchange. */
  kinds: KindBits
  /** The numbers of its elements by kind, filled in when needed. */
  readonly elements: number[]
  readonly members: Map<string, Member>
  /** Its name as last written in JSON, with quotes. Empty for the root and for items. */
  name: Uint8Array
  /** Its first member, and its next sibling, in the last text. They usually predict the next name. */
  first: Member | undefined
  next: Member | undefined
  items: Member | undefined
}

/** The places in the bodies of one kind, with the kinds of value that one exchange has there. */
export interface MemberTable {
  readonly root: Member
  member(of: Member, name: string): Member
  items(of: Member): Member
  mark(member: Member, kinds: KindBits): void
  /** Calls `visit` for each marked place, and clears the marks. */
  take(visit: (member: Member) => void): void
  /** Whether there are more places than are told apart. */
  isFull(): boolean
}

/** The most places unknown to the mapping that are told apart; all others count as one. */
export const MOST_UNKNOWN = 100
/** The name of all others. */
export const OTHER = 'other'

/** @param known legacy paths of the mapping's lines: they and the places above them are always told apart. */
export function memberTable(known: Iterable<string>): MemberTable {
  const root = placeAt('')
  const other: Member = { ...placeAt(OTHER), isOther: true }
  let touched: Member[] = []
  /** The number of unknown places; without limit while the known places are entered. */
  let unknown = Number.NEGATIVE_INFINITY

  const created = (path: string): Member | undefined => {
    if (unknown >= MOST_UNKNOWN) return undefined
    unknown++
    return placeAt(boundedPath(path))
  }
  const member = (of: Member, name: string): Member => {
    const found = of.members.get(name)
    if (found !== undefined || of === other) return found ?? other
    const made = created(memberPath(of.path, name))
    if (made !== undefined) of.members.set(name, made)
    return made ?? other
  }
  const items = (of: Member): Member => {
    if (of === other) return other
    of.items ??= created(itemsPath(of.path))
    return of.items ?? other
  }

  for (const path of known) {
    segmentsOf(path).reduce((at, segment) => (segment === null ? items(at) : member(at, segment)), root)
  }
  unknown = 0

  return {
    root,
    member,
    items,
    mark(at, kinds) {
      if (at.kinds === 0) touched.push(at)
      at.kinds |= kinds
    },
    take(visit) {
      for (const at of touched) {
        visit(at)
        at.kinds = 0
      }
      touched = []
    },
    isFull: () => unknown >= MOST_UNKNOWN,
  }
}

const placeAt = (path: string): Member => ({
  path,
  isOther: false,
  kinds: 0,
  elements: [],
  members: new Map(),
  name: new Uint8Array(),
  first: undefined,
  next: undefined,
  items: undefined,
})
