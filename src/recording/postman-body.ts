import { z } from 'zod'
import { parameter } from './postman-url.ts'
import { type Filler, textOf } from './postman-variables.ts'
import { FORM } from './record-body.ts'

export const postmanBody = z.looseObject({
  mode: z.string().nullish(),
  disabled: z.boolean().nullish(),
  options: z
    .object({ raw: z.object({ language: z.string().nullish() }).nullish() })
    .nullish()
    .catch(undefined),
})

/** The body to send; an empty object: no body. */
export interface SentBody {
  readonly body?: Uint8Array
  /** The media type that Postman sends if no header sets one. */
  readonly type?: string
  /** Why it cannot be sent. */
  readonly problem?: string
}

/** Why a body with this mode is not sent. */
const NOT_RAW: ReadonlyMap<string, string> = new Map([
  ['formdata', 'its body is a multipart form (formdata)'],
  ['graphql', 'its body is GraphQL'],
  ['file', 'its body is a file, which is not in the collection'],
])

/** Media types by the language of a raw body. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['html', 'text/html'],
  ['javascript', 'application/javascript'],
])

/** Matches a JSON string, which is kept, or a comment. */
const STRING_OR_COMMENT = /("[^"\\]*(?:\\.[^"\\]*)*")|\/\/.*|\/\*[\s\S]*?\*\//g

/**
 * Returns the body of a request as Postman sends it, with comments removed from JSON.
 * @param type the media type in the headers.
 */
export function rawBody(
  body: z.infer<typeof postmanBody> | null | undefined,
  type: string | undefined,
  { fill }: Filler,
): SentBody {
  if (!body?.mode || body.disabled === true || isEmpty(body[body.mode])) return {}
  const { mode } = body
  if (mode === 'urlencoded') return formBody(body.urlencoded, fill)
  if (mode !== 'raw') {
    return {
      problem: `${NOT_RAW.get(mode) ?? 'its body has an unknown mode'}; only raw bodies and urlencoded forms are replayed`,
    }
  }
  const ownType = TYPES.get(body.options?.raw?.language ?? '') ?? 'text/plain'
  const text = fill(textOf(body.raw) ?? '')
  const isJson = /\bjson\b/i.test(type ?? ownType)
  return { type: ownType, body: Buffer.from(isJson ? text.replaceAll(STRING_OR_COMMENT, '$1') : text) }
}

/** Returns a form without its disabled parameters, encoded as Postman does. */
function formBody(list: unknown, fill: Filler['fill']): SentBody {
  const { data } = z.array(parameter).safeParse(list)
  if (data === undefined) return { problem: 'its form is malformed' }
  const encoded = (text: string): string => encodeURIComponent(fill(text).toWellFormed())
  const sent = data.filter(({ disabled }) => disabled !== true)
  const form = sent.map(({ key, value }) => `${encoded(key ?? '')}=${encoded(textOf(value) ?? '')}`).join('&')
  return { type: FORM, ...(form !== '' && { body: Buffer.from(form) }) }
}

/** Whether a mode has no content to send. Postman keeps the content of other modes when the mode changes. */
const isEmpty = (content: unknown): boolean =>
  content === undefined ||
  content === null ||
  content === '' ||
  (typeof content === 'object' && Object.keys(content).length === 0)
