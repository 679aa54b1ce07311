import { type Agreement, type Column, MISSING, NULL, UNCLEAR } from './agreement.ts'
import type { LearnedJoin, Part } from './learned.ts'

/** Longer texts between and beside values are not looked for. */
const MOST_TEXT = 24
/** The most joins of a column in one exchange; with more, none is reported. */
const MOST_JOINS = 128

/** Two values with a text between them, a value before a text, or a text before a value. */
interface Found {
  readonly first: number | undefined
  readonly text: string
  readonly last: number | undefined
}

/** Returns the content of a text or number of v1 as a joined text has it; undefined: it is not put into texts. */
const contentOf = (text: string | undefined): string | undefined => {
  if (text === undefined || text === NULL || text === MISSING || text === UNCLEAR) return undefined
  if (text.startsWith('"')) return JSON.parse(text) as string
  return /^-?\d/.test(text) ? text : undefined
}

const WORDLESS = /^[^\p{L}\p{N}]*$/u

/** Finds the joins that give legacy's text in all places of a column; `isCut`: there are too many to report. */
export function joinsOf(column: Column, { texts, sources, places }: Agreement): readonly LearnedJoin[] {
  if (column.missings > 0 || column.isWhole) return []
  const valued = column.keys.slice(0, places).flatMap((key, place) => (isValue(key) ? [place] : []))
  const [start, ...others] = valued
  if (start === undefined || valued.some((place) => column.keys[place]?.startsWith('"') !== true)) return []
  const isSecret = ({ first, last }: Found): boolean =>
    column.isPersonal || [first, last].some((source) => source !== undefined && sources.isPersonal[source] === true)
  const found = joinsAt(JSON.parse(column.keys[start] as string) as string, start, texts).filter(
    (join) => WORDLESS.test(join.text) || !isSecret(join),
  )
  const isNullToo = (join: Found): boolean =>
    column.keys.every((key, place) => key !== NULL || place >= places || joined(join, place, texts) === undefined)
  const holding = found.filter(
    (join) =>
      others.every((place) => JSON.stringify(joined(join, place, texts)) === column.keys[place]) && isNullToo(join),
  )
  return holding.length > MOST_JOINS ? [] : holding.map((join) => ({ parts: partsOf(join, sources.paths) }))
}

const isValue = (key: string): boolean => key !== NULL && key !== MISSING && key !== UNCLEAR

function joinsAt(legacy: string, place: number, texts: readonly (readonly string[])[]): readonly Found[] {
  const firsts: (readonly [source: number, length: number])[] = []
  const lasts: (readonly [source: number, length: number])[] = []
  for (const [source, column] of texts.entries()) {
    const content = contentOf(column?.[place])
    if (content === undefined || content === '' || content.length >= legacy.length) continue
    if (legacy.startsWith(content)) firsts.push([source, content.length])
    if (legacy.endsWith(content)) lasts.push([source, content.length])
  }
  const pairs = firsts.flatMap(([first, before]) =>
    lasts.flatMap(([last, behind]): readonly Found[] =>
      before + behind <= legacy.length && legacy.length - before - behind <= MOST_TEXT
        ? [{ first, text: legacy.slice(before, legacy.length - behind), last }]
        : [],
    ),
  )
  const heads = firsts.map(([first, before]): Found => ({ first, text: legacy.slice(before), last: undefined }))
  const tails = lasts.map(
    ([last, behind]): Found => ({ first: undefined, text: legacy.slice(0, legacy.length - behind), last }),
  )
  return [...pairs, ...[...heads, ...tails].filter(({ text }) => text.length <= MOST_TEXT)]
}

function joined(
  { first, text, last }: Found,
  place: number,
  texts: readonly (readonly string[])[],
): string | undefined {
  const before = first === undefined ? '' : contentOf(texts[first]?.[place])
  const behind = last === undefined ? '' : contentOf(texts[last]?.[place])
  return before === undefined || behind === undefined ? undefined : `${before}${text}${behind}`
}

function partsOf({ first, text, last }: Found, paths: readonly string[]): readonly Part[] {
  return [
    ...(first === undefined ? [] : [paths[first] as string]),
    ...(text === '' ? [] : [{ text }]),
    ...(last === undefined ? [] : [paths[last] as string]),
  ]
}
