import type { SnippetLanguage } from '../../exchange/guide-form.ts'
import { type Language, languages } from './snippet-languages.ts'

/** A string in a body that stands for a credential. No other form counts: what a client sent must not name a variable. */
const CREDENTIAL = /"<([A-Z_][A-Z\d_]*)>"/g
const NAMES_CREDENTIAL = /SECRET|PASSWORD|TOKEN|CLIENT_ID/
/** JSON within a string that the Python writer would take for its own, and write as `None`. */
const BEFORE_WORD = /: (?=(?:true|false|null),)/g

/**
 * Returns programs that send a request, one in each language, in the order of SNIPPET_LANGUAGES. They send the body byte for
 * byte, and the path and the query normalized as in RFC 3986, 6.2.2. They take tokens and credentials from the environment,
 * and never contain one.
 * @throws TypeError unless the URL is absolute.
 */
export function snippetsOf(request: SnippetRequest): readonly Snippet[] {
  const marked = markedCall(request)
  return languages.map((language) => ({
    language: language.language,
    library: language.library,
    code: language.program(writtenCall(language, marked)),
  }))
}

/** A request with marks where the languages differ. Each language's quoting leaves the marks intact. */
interface MarkedCall {
  readonly method: string
  readonly url: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body: string | undefined
  /** Whether the body has a variable. */
  readonly isJoined: boolean
  readonly mark: (name: string) => string
}

function markedCall({ method, url, headers, body }: SnippetRequest): MarkedCall {
  const word = unusedWord(`${url}${JSON.stringify(headers)}${body}`)
  const mark = (name: string): string => `${word}${name}${word}`
  const kept = (text: string): string => text.replaceAll(BEFORE_WORD, `:${mark('apart')} `)
  const named = Object.entries(headers)
  const hasType = named.some(([name]) => name.toLowerCase() === 'content-type')
  const typed = body === undefined || hasType ? named : [...named, ['Content-Type', 'application/json'] as const]
  const marked = body?.replaceAll(CREDENTIAL, (text, name: string) =>
    NAMES_CREDENTIAL.test(name) ? `"${mark(name)}"` : text,
  )
  return {
    method,
    url: snippetUrl(url),
    headers: typed.map(([name, value]) => ({
      name,
      value: name.toLowerCase() === 'authorization' ? `Bearer ${mark('V1_TOKEN')}` : kept(value),
    })),
    body: marked && kept(marked),
    isJoined: marked !== body,
    mark,
  }
}

function unusedWord(text: string): string {
  let count = 0
  while (text.includes(`mark${count}`)) count++
  return `mark${count}`
}

function writtenCall(language: Language, { method, url, headers, body, isJoined, mark }: MarkedCall): string {
  const { quote, plus, afterBody, mimeType } = language
  const text = afterBody === undefined ? body : body && `${mark('begin')}${body}${mark('end')}`
  const written = language.writer().generate({
    ...{ method, url, headers: [...headers] },
    ...(text !== undefined && { postData: { mimeType, text } }),
  })
  return written
    .replaceAll(mark('apart'), '')
    .replaceAll(`${quote}${mark('begin')}`, `${isJoined ? '(' : ''}${quote}`)
    .replaceAll(`${mark('end')}${quote}`, `${quote}${isJoined ? ')' : ''}${afterBody}`)
    .replaceAll(new RegExp(`${mark('([A-Z_][A-Z\\d_]*)')}(${quote}?)`, 'g'), (_, name: string, end: string) => {
      const joined = `${quote}${plus}${language.variable(name)}`
      return end === quote ? joined : `${joined}${plus}${quote}`
    })
}

/** Characters that mean the same in a URL with and without percent-encoding (RFC 3986, 2.3). */
const UNRESERVED = /[\w.~-]/
/** Characters that must be percent-encoded in a path or a query: quotes, brackets and the like, and a lone percent sign. */
const ODD = /%(?![\da-f]{2})|[^\w.~!$&()*+,;=:@/?%-]/gi
const OCTET = /%[\da-f]{2}/gi

/**
 * Returns a URL that programs in all languages send exactly as written: normalized as in RFC 3986, 6.2.2, without a
 * fragment, and percent-encoded where a character would end a string or curl would take it for a glob.
 * @throws TypeError unless the URL is absolute.
 */
function snippetUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  const target = `${pathname}${search}`.replaceAll(ODD, encoded).replaceAll(OCTET, normal)
  return `${origin}${target}`
}

/** Percent-encodes an ASCII character: a parsed URL has no others. */
const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

function normal(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
  return UNRESERVED.test(character) ? character : octet.toUpperCase()
}

/** A request for a program to send. */
export interface SnippetRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  /** `Authorization` holds a placeholder; the program takes the token from the environment variable `V1_TOKEN`. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * JSON, with its digits; undefined: none. Placeholders for credentials are whole strings, such as `"<CLIENT_ID>"`,
   * `"<CLIENT_SECRET>"` and those of `shownBody`: the program takes each from the environment variable of that name.
   */
  readonly body: string | undefined
}

/** A program that sends a request, and prints the body of the answer, then its status on a line of its own. */
export interface Snippet {
  readonly language: SnippetLanguage
  /** What sends the request: `curl`, `fetch`, `Guzzle`, `requests`, `HttpClient`. */
  readonly library: string
  readonly code: string
}
