import { boundedPath, itemsPath, memberPath, segmentsOf } from '../compare/diff/path.ts'
import { BYTES, bufferOf, scanValue, viewOf } from '../engine/json/scan-json.ts'
import { startOfText, stringAt, typeAt, walkItems, walkMembers } from '../engine/json/walk-json.ts'
import {
  arrayKind,
  BEYOND_ASCII,
  EMPTY_OBJECT,
  ESCAPES,
  FALSE,
  formKinds,
  type KindBits,
  NULL,
  NUMBER,
  numberKinds,
  OBJECT,
  SURROGATES,
  TRUE,
} from './value-kind.ts'

const { BACKSLASH } = BYTES
const MINUS = 0x2d
const SMALL_T = 0x74

/** Marks the kinds of all values of a JSON text. The text must be valid, and not too deep for recursion. */
export function walkBody(json: Uint8Array, table: MemberTable): void {
  const bytes = bufferOf(json)
  const text = viewOf(json)
  const end = json.length

  /** Marks the value at `at`. Returns its end. */
  const walkValue = (at: number, place: Member): number => {
    const type = typeAt(bytes, at)
    if (type === 'object') return walkObject(at, place)
    if (type === 'array') return walkArray(at, place)
    const valueEnd = scanValue(text, at, end)
    if (type === 'string') table.mark(place, textKinds(bytes, at + 1, valueEnd - 1))
    else if (type === 'number') {
      table.mark(place, isPlain(bytes, at, valueEnd) ? NUMBER : numberKinds(bytes.toString('latin1', at, valueEnd)))
    } else table.mark(place, type === 'null' ? NULL : bytes[at] === SMALL_T ? TRUE : FALSE)
    return valueEnd
  }

  const walkObject = (at: number, place: Member): number => {
    let previous: Member | undefined
    let isEmpty = true
    const objectEnd = walkMembers(text, at, end, (keyAt, keyEnd, valueAt) => {
      if (isEmpty) table.mark(place, OBJECT)
      isEmpty = false
      const expected = previous === undefined ? place.first : previous.next
      const isExpected = expected !== undefined && isAt(bytes, keyAt, keyEnd, expected.name)
      const member = isExpected ? expected : table.member(place, stringAt(bytes, keyAt, keyEnd))
      // The member for all other places is in no object, so it predicts nothing.
      if (!isExpected && !member.isOther) {
        member.name = Uint8Array.prototype.slice.call(bytes, keyAt, keyEnd)
        if (previous === undefined) place.first = member
        else previous.next = member
      }
      previous = member.isOther ? undefined : member
      return walkValue(valueAt, member)
    })
    if (isEmpty) table.mark(place, EMPTY_OBJECT)
    return objectEnd
  }

  const walkArray = (at: number, place: Member): number => {
    let count = 0
    const arrayEnd = walkItems(text, at, end, (itemAt) => {
      count++
      return walkValue(itemAt, table.items(place))
    })
    table.mark(place, arrayKind(count))
    return arrayEnd
  }

  walkValue(startOfText(bytes), table.root)
}

function isAt(json: Buffer, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false
  for (let index = 0; index < name.length; index++) if (json[start + index] !== name[index]) return false
  return true
}

/** Whether a number is only digits that do not begin with a zero. */
function isPlain(json: Buffer, start: number, end: number): boolean {
  if (end - start > 15 || json[start] === 0x30) return false
  for (let at = start; at < end; at++) if (!isDigit(json[at])) return false
  return true
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Returns the kinds of the text between the quotes. Counts characters in UTF-16 units, as JavaScript does. */
function textKinds(json: Buffer, start: number, end: number): KindBits {
  let kinds = 0
  let characters = end - start
  for (let at = start; at < end; at++) {
    const byte = json[at] as number
    if (byte === BACKSLASH) {
      kinds |= ESCAPES
      const isUnicode = json[at + 1] === 0x75
      if (isUnicode) {
        const code = Number.parseInt(json.toString('latin1', at + 2, at + 6), 16)
        if (code >= 0xd800 && code < 0xe000) kinds |= SURROGATES
        else if (code >= 0x80) kinds |= BEYOND_ASCII
      }
      characters -= isUnicode ? 5 : 1
      at += isUnicode ? 5 : 1
    } else if (byte >= 0xf0) {
      kinds |= SURROGATES
    } else if (byte >= 0xc0) kinds |= BEYOND_ASCII
    // Continuation bytes do not count, except one of the three in a four-byte character.
    if (byte >= 0x80 && byte < 0xc0) characters--
    else if (byte >= 0xf0) characters++
  }
  const mayHaveForm = kinds === 0 && (isDigit(json[start]) || json[start] === MINUS)
  const form = mayHaveForm ? json.toString('latin1', start, Math.min(end, start + MOST_FORM)) : ''
  return kinds | formKinds(form, characters)
}

/** The bytes of a text that are enough to see its form: longer texts have none. */
const MOST_FORM = 64

/** A place in the bodies of an operation. */
interface Member {
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
