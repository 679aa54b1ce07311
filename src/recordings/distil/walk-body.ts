import { boundedPath, itemsPath, memberPath, segmentsOf } from '../../control-plane/evidence/diff/path.ts'
import { scanValue, viewOf } from '../../engine/json/scan-json.ts'
import { startOfText, stringAt, textOf, typeAt, walkItems, walkMembers } from '../../engine/json/walk-json.ts'
import { arrayKind, EMPTY_OBJECT, type KindBits, OBJECT, scalarKinds } from './value-kind.ts'

/** A place in the bodies of an operation. */
interface Member {
  /** As in `src/control-plane/evidence/diff/path.ts`. */
  readonly path: string
  /** Whether it stands for all places that are not told apart. */
  readonly isOther: boolean
  /** The kinds of its values in the current exchange. */
  kinds: KindBits
  /** The numbers of its elements by kind, filled in when needed. */
  readonly elements: number[]
  readonly members: Map<string, Member>
  items: Member | undefined
}

/** The most places unknown to the mapping that are told apart; all others count as one. */
export const MOST_UNKNOWN = 100
/** The name of all others. */
export const OTHER = 'other'

/** The places in the bodies of one kind, with the kinds of value that one exchange has there. */
export class MemberTable {
  readonly root = placeAt('')
  readonly #other: Member = { ...placeAt(OTHER), isOther: true }
  #marked: Member[] = []
  /** The number of unknown places; without limit while the known places are entered. */
  #unknown = Number.NEGATIVE_INFINITY

  /** @param known legacy paths of the mapping's lines: they and the places above them are always told apart. */
  constructor(known: Iterable<string>) {
    for (const path of known) {
      segmentsOf(path).reduce(
        (at, segment) => (segment === null ? this.items(at) : this.member(at, segment)),
        this.root,
      )
    }
    this.#unknown = 0
  }

  /** Whether there are more places than are told apart. */
  get isFull(): boolean {
    return this.#unknown >= MOST_UNKNOWN
  }

  member(of: Member, name: string): Member {
    const existing = of.members.get(name)
    if (existing !== undefined || of === this.#other) return existing ?? this.#other
    const added = this.#added(memberPath(of.path, name))
    if (added !== undefined) of.members.set(name, added)
    return added ?? this.#other
  }

  items(of: Member): Member {
    if (of === this.#other) return this.#other
    of.items ??= this.#added(itemsPath(of.path))
    return of.items ?? this.#other
  }

  mark(member: Member, kinds: KindBits): void {
    if (member.kinds === 0) this.#marked.push(member)
    member.kinds |= kinds
  }

  /** Calls `visit` for each marked place, and clears the marks. */
  take(visit: (member: Member) => void): void {
    for (const member of this.#marked) {
      visit(member)
      member.kinds = 0
    }
    this.#marked = []
  }

  #added(path: string): Member | undefined {
    if (this.isFull) return undefined
    this.#unknown++
    return placeAt(boundedPath(path))
  }
}

function placeAt(path: string): Member {
  return { path, isOther: false, kinds: 0, elements: [], members: new Map(), items: undefined }
}

/** Marks the kinds of all values of a JSON text. The text must be valid, and not too deep for recursion. */
export function walkBody(json: Uint8Array, table: MemberTable): void {
  const text = viewOf(json)
  /** Marks the value at `at`. Returns its end. */
  const walk = (at: number, place: Member): number => {
    switch (typeAt(json, at)) {
      case 'object': {
        let hasMembers = false
        const end = walkMembers(text, at, json.length, (keyAt, keyEnd, valueAt) => {
          if (!hasMembers) table.mark(place, OBJECT)
          hasMembers = true
          return walk(valueAt, table.member(place, stringAt(json, keyAt, keyEnd)))
        })
        if (!hasMembers) table.mark(place, EMPTY_OBJECT)
        return end
      }
      case 'array': {
        let count = 0
        const end = walkItems(text, at, json.length, (itemAt) => {
          count++
          return walk(itemAt, table.items(place))
        })
        table.mark(place, arrayKind(count))
        return end
      }
      default: {
        const end = scanValue(text, at, json.length)
        table.mark(place, scalarKinds(textOf(json, at, end)))
        return end
      }
    }
  }
  walk(startOfText(json), table.root)
}
