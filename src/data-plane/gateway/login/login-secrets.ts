import { createHmac, randomBytes } from 'node:crypto'
import { JsonError, scanValue, viewOf } from '../../../engine/json/scan-json.ts'
import { endOfText, NO_KEY, startOfText, stringAt, textOf, typeAt, walkTree } from '../../../engine/json/walk-json.ts'
import { RunWriter } from '../../../engine/rewrite/run-writer.ts'

/** What must not be shown of a login. */
export interface LoginSecrets {
  /** The member that holds the token, at any depth. */
  readonly tokenName: string
  /** The tokens that the services issued. */
  readonly tokens: readonly string[]
  /** The texts and numbers that the client sent: an answer may repeat them. Undefined: they are not known. */
  readonly credentials: readonly string[] | undefined
}

/**
 * Copies an answer to a login without its secrets, so that it can be compared: without the tokens and the credentials, wherever they
 * stand, and without what else may be a secret by its name or its form, such as another token. Values that are equal stay so, and so do
 * values that differ, apart from the secrets in them. Types stay too, and everything else byte for byte. A text that is not JSON is
 * replaced whole.
 */
export function withoutLoginSecrets(json: Uint8Array, secrets: LoginSecrets): Uint8Array {
  if (json.length === 0) return json
  const text = viewOf(json)
  const { length } = json
  const out = new RunWriter(json, text, length)
  const inPlaceOf = replacer(secrets)
  let depth = 0
  /** With more containers than this around it, every text is a secret: it stands in a member whose name says so. */
  let secretDepth = Number.POSITIVE_INFINITY
  out.resume(0)
  try {
    const end = walkTree(text, startOfText(json), length, {
      value(at, keyAt, keyEnd) {
        const name = keyAt === NO_KEY ? '' : stringAt(json, keyAt, keyEnd)
        const type = typeAt(json, at)
        const isSecret = depth > secretDepth || SECRET_NAME.test(name)
        if ((type === 'object' || type === 'array') && name !== secrets.tokenName) {
          if (isSecret) secretDepth = Math.min(secretDepth, depth)
          depth++
          return undefined
        }
        const valueEnd = scanValue(text, at, length)
        const other = inPlaceOf(name, textOf(json, at, valueEnd), isSecret)
        if (other !== undefined) {
          out.cut(at)
          out.append(Buffer.from(other))
          out.resume(valueEnd)
        }
        return valueEnd
      },
      close() {
        depth--
        if (depth <= secretDepth) secretDepth = Number.POSITIVE_INFINITY
      },
    })
    endOfText(json, end)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return new Uint8Array(Buffer.from('(not shown: not JSON)'))
  }
  out.cut(length)
  return new Uint8Array(out.finish())
}

/** A number as short as this is no secret. */
const SHORT_NUMBER = 4

/** Returns a function that returns what stands in place of a member's value, both as JSON; undefined: the value itself. */
function replacer(secrets: LoginSecrets): (name: string, json: string, isSecret: boolean) => string | undefined {
  const shown = shownText(secrets)
  return (name, json, isSecret) => {
    const isToken = name === secrets.tokenName
    const [first = ''] = json
    if (first === '"') {
      const text = JSON.parse(json) as string
      const other = isToken && text !== '' ? '(token)' : shown(text, isSecret)
      return other === text ? undefined : JSON.stringify(other)
    }
    if (isToken && first === '{') return '{}'
    if (isToken && first === '[') return '[]'
    const isNumber = /[-\d]/.test(first)
    const isSent = json.length > SHORT_NUMBER && secrets.credentials?.includes(json) !== false
    return isNumber && (isToken || isSent) ? '0' : undefined
  }
}

/** Characters that no secret has, so that no secret is found in what stands in place of another. */
const TOKEN = '\u0001'
const CREDENTIAL = '\u0002'

/** Returns a function that returns a text as it may be shown. `isSecret`: it stands where secrets stand. */
function shownText({ tokens, credentials }: LoginSecrets): (text: string, isSecret: boolean) => string {
  const marks = [
    ...tokens.map((secret) => ({ secret, mark: TOKEN })),
    ...(credentials ?? []).map((secret) => ({ secret, mark: CREDENTIAL })),
  ]
  // The longest first: a credential may be a part of another text.
  const known = marks
    .filter(({ secret }) => secret !== '')
    .sort((one, other) => other.secret.length - one.secret.length)
  return (text, isSecret) => {
    if (text === '') return text
    const marked = known.reduce((rest, { secret, mark }) => rest.replaceAll(secret, mark), text)
    const without = marked.replaceAll(TOKEN, '(token)').replaceAll(CREDENTIAL, '(credential)')
    return credentials === undefined || mayBeSecret(without, isSecret) ? hidden(without) : without
  }
}

/** Names of members that hold secrets. */
const SECRET_NAME = /token|secret|passw|pwd|key|jwt|session|credential|authori[sz]ation|cookie|bearer/i
/** What such a member may hold that is none: what kind of token it is, or when it ends. */
const NO_SECRET =
  /^(?:bearer|basic|jwt|mac|dpop|\(token\)|\(credential\)|\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)$/i
/** A word so long, with a digit or a capital in it, is no word of a language. */
const LONG = 20
const NO_WORD = /.[\dA-Z]/

const mayBeSecret = (text: string, isSecret: boolean): boolean =>
  !NO_SECRET.test(text) && (isSecret || text.split(/\s+/).some((word) => word.length >= LONG && NO_WORD.test(word)))

/** Only this process can tell which text a hidden one stands for. */
const key = randomBytes(32)
const hidden = (text: string): string => `~${createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)}`
