import { parametersOf } from '../../mapping/operation.ts'
import type { RequestMapping, Widened } from '../../mapping/request.ts'
import type { AskedRequest } from '../coverage/shown-lines.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { languageOf } from '../reply-of.ts'

/** What a request makes v1 find beyond legacy, as the mapping declares. */
export interface Widening {
  /** Returns the member of the request that makes v1 find all of these rows; undefined: none does. */
  memberThatFinds(rows: readonly JsonValue[]): string | undefined
}

/** Returns a function that says what a request widens; undefined: nothing. Only whole lists are widened, by query parameters. */
export function wideningReader(mapping: RequestMapping): (request: AskedRequest) => Widening | undefined {
  const declared = Object.entries(parametersOf(mapping)).flatMap(([name, { widened }]) =>
    widened === undefined ? [] : [[name, widened] as const],
  )
  if (declared.length === 0) return () => undefined
  return ({ query, headers }) => {
    const sent = new URLSearchParams(query)
    const holding = declared.flatMap(([name, widened]) => {
      // If a parameter is repeated, the last one counts.
      const text = sent.getAll(name).at(-1)
      const isShown = widened.language === undefined || widened.language === languageOf(headers)
      return isShown && text !== undefined && text !== '' ? [{ name, widened, text: folded(text) }] : []
    })
    if (holding.length === 0) return undefined
    return {
      memberThatFinds: (rows) =>
        holding.find(({ widened, text }) => rows.every((row) => isFound(row, widened, text)))?.name,
    }
  }
}

function isFound(row: JsonValue, { member }: Widened, text: string): boolean {
  const value = isObject(row) && Object.hasOwn(row, member) ? row[member] : undefined
  return typeof value === 'string' && folded(value).includes(text)
}

/** Folds upper and lower case, in Turkish and in English: `İ`, `I` and `ı` become `i`. */
const folded = (text: string): string => text.normalize('NFC').replace(/[Iİı]/g, 'i').toLowerCase().normalize('NFC')
