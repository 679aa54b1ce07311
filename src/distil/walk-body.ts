import { boundedPath, itemsPath, memberPath, segmentsOf } from '../compare/diff/path.ts'
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

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** Marks the kinds of all values of a JSON text. The text must be valid, and not too deep for recursion. */
export function walkBody(json: Buffer, table: MemberTable): void {
  walkValue(json, skipSpace(json, 0), table.root, table)
}

/** Marks the value at `at`. Returns its end. */
function walkValue(json: Buffer, at: number, place: Member, table: MemberTable): number {
  switch (json[at]) {
    case OPEN_OBJECT:
      return walkObject(json, at, place, table)
    case OPEN_ARRAY:
      return walkArray(json, at, place, table)
    case QUOTE: {
      const end = endOfString(json, at)
      table.mark(place, textKinds(json, at + 1, end - 1))
      return end
    }
    case 0x6e:
      table.mark(place, NULL)
      return at + 'null'.length
    case 0x74:
      table.mark(place, TRUE)
      return at + 'true'.length
    case 0x66:
      table.mark(place, FALSE)
      return at + 'false'.length
    default: {
      const end = endOfNumber(json, at)
      table.mark(place, isPlain(json, at, end) ? NUMBER : numberKinds(json.toString('latin1', at, end)))
      return end
    }
  }
}

function walkObject(json: Buffer, at: number, place: Member, table: MemberTable): number {
  at = skipSpace(json, at + 1)
  table.mark(place, json[at] === CLOSE_OBJECT ? EMPTY_OBJECT : OBJECT)
  let previous: Member | undefined
  while (json[at] !== CLOSE_OBJECT) {
    const expected = previous === undefined ? place.first : previous.next
    const isExpected = expected !== undefined && startsWith(json, at, expected.name)
    const keyEnd = isExpected ? at + expected.name.length : endOfString(json, at)
    const member = isExpected ? expected : table.member(place, nameIn(json, at, keyEnd))
    // The member for all other places is in no object, so it predicts nothing.
    if (!isExpected && !member.isOther) {
      member.name = Uint8Array.prototype.slice.call(json, at, keyEnd)
      if (previous === undefined) place.first = member
      else previous.next = member
    }
    previous = member.isOther ? undefined : member
    at = skipSpace(json, keyEnd)
    // The colon.
    at = skipSpace(json, json[at] === COLON ? at + 1 : at)
    at = skipSpace(json, walkValue(json, at, member, table))
    if (json[at] === COMMA) at = skipSpace(json, at + 1)
  }
  return at + 1
}

function walkArray(json: Buffer, at: number, place: Member, table: MemberTable): number {
  let count = 0
  at = skipSpace(json, at + 1)
  while (json[at] !== CLOSE_ARRAY) {
    count++
    at = skipSpace(json, walkValue(json, at, table.items(place), table))
    if (json[at] === COMMA) at = skipSpace(json, at + 1)
  }
  table.mark(place, arrayKind(count))
  return at + 1
}

function startsWith(json: Buffer, at: number, name: Uint8Array): boolean {
  for (let index = 0; index < name.length; index++) if (json[at + index] !== name[index]) return false
  return true
}

/** Whether a number is only digits that do not begin with a zero. */
function isPlain(json: Buffer, start: number, end: number): boolean {
  if (end - start > 15 || json[start] === 0x30) return false
  for (let at = start; at < end; at++) if (!isDigit(json[at])) return false
  return true
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

function nameIn(json: Buffer, start: number, end: number): string {
  const text = json.toString('utf8', start + 1, end - 1)
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}

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

function endOfString(json: Buffer, at: number): number {
  at++
  while (json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function endOfNumber(json: Buffer, at: number): number {
  let byte = json[at]
  while (byte !== undefined && byte !== COMMA && byte !== CLOSE_ARRAY && byte !== CLOSE_OBJECT && byte > 0x20) {
    byte = json[++at]
  }
  return at
}

function skipSpace(json: Buffer, at: number): number {
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++
  return at
}

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
