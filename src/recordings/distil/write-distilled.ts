import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bufferOf } from '../../engine/json/scan-json.ts'
import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { DISTILLED } from '../har-entry.ts'
import { type Choice, type DistilledCounts, type ReadAgain, readChosen, type Unreadable } from './choose-exchanges.ts'
import type { SortedExchange } from './look-at-exchanges.ts'
import { CASES, openOut, outErrorOf, REPORT } from './out-directory.ts'

/** The place to write to, and the facts to write. */
interface ToWrite {
  readonly directory: string
  readonly replaces: boolean
  readonly version: string
  readonly max: number | undefined
  readonly only: readonly string[]
  readonly translate: Translate
}

/** The origin of a kept exchange, and the reason to keep it. */
export interface KeptPlace {
  /** Its line in `recording.ndjson`, from 1. */
  readonly kept: number
  readonly file: string
  /** The line in that file, or the number of the HAR entry or Postman request, from 1. */
  readonly line: number
  readonly operation: string
  /** Null: the exchange has no recorded answer. */
  readonly status: number | null
  /** The path of the golden case within the directory; null: it has none. */
  readonly case: string | null
  /** How many elements it covers. */
  readonly covers: number
  /** The elements that no other kept exchange covers: how many, and the first of them. */
  readonly alone: { readonly count: number; readonly first: readonly string[] }
}

/** The content of `distil.json` (docs/clients.md). */
export interface DistilReport {
  readonly distil: 1
  readonly gateway: string
  readonly read: number
  readonly kept: number
  readonly elements: number
  readonly covered: number
  readonly bytes: { readonly read: number; readonly kept: number }
  /** The value of `--max`; null: not given. */
  readonly max: number | null
  /** The values of `--operation`; empty: not given. */
  readonly only: readonly string[]
  /** How many exchanges were left out because `only` does not name their operations. */
  readonly leftOut: number
  /** How many of the exchanges read were redacted here, because no gateway recorded them. */
  readonly redacted: number
  /** Operations with more members than are told apart. */
  readonly tooManyMembers: readonly string[]
  readonly unreadable: { readonly count: number; readonly first: readonly Unreadable[] }
  readonly operations: readonly DistilledCounts[]
  readonly exchanges: readonly KeptPlace[]
}

/** The most elements named that an exchange alone covers. */
const NAMED = 20
const OWNER_ONLY = { mode: 0o600 }

/**
 * Reads the chosen exchanges again and writes the directory: completely or not at all.
 * @throws OutError, or RecordingError if a file changed meanwhile.
 */
export async function writeDistilled(choice: Choice, options: ToWrite, signal: AbortSignal): Promise<DistilReport> {
  const out = await openOut(options.directory, options.replaces)
  const at = (file: string): string => join(out.unfinished, file)
  const places: KeptPlace[] = []
  let bytes = 0
  try {
    const har = createWriteStream(at('recording.har'), OWNER_ONLY)
    // `write` says what went wrong.
    har.on('error', () => undefined)
    const lines = async function* (): AsyncGenerator<Uint8Array> {
      await write(har, harStart(options.version))
      for await (const one of readChosen(choice)) {
        signal.throwIfAborted()
        await write(har, `${places.length > 0 ? ',\n' : ''}${harEntry(one)}`)
        places.push(await writeCase(one, choice, options, out.unfinished, places.length + 1))
        bytes += one.exchange.line.length + 1
        yield one.exchange.line
        yield NEWLINE
      }
      await pipeline(Readable.from([HAR_END]), har)
    }
    await pipeline(lines, createWriteStream(at('recording.ndjson'), OWNER_ONLY))
    const report = reportOf(choice, options, places, bytes)
    await writeFile(at(REPORT), `${JSON.stringify(report, null, 2)}\n`, OWNER_ONLY)
    await out.finish()
    return report
  } catch (error) {
    throw outErrorOf(options.directory, error)
  } finally {
    await out.discard()
  }
}

const NEWLINE = Buffer.from('\n')

const write = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

/** Writes the golden case of an exchange, if its operation has one. Returns where the exchange comes from, and why it is kept. */
async function writeCase(
  { chosen, at, exchange }: ReadAgain,
  { book, files }: Choice,
  { translate }: ToWrite,
  directory: string,
  kept: number,
): Promise<KeptPlace> {
  const { candidate, alone } = chosen
  const { operation, status, request } = exchange
  const first = alone.slice(0, NAMED).map((element) => book.elementAt(element))
  const translated = translate(operation, request)
  const name = `${CASES}/${operation}/${status ?? 'no-answer'}-line-${kept}.json`
  if (translated !== undefined) {
    const answered = status === undefined ? 'without a recorded answer' : `answered with ${status}`
    const [shown] = first
    const says = `A recorded call of ${operation}, ${answered}${shown === undefined ? '' : `; only here: ${shown}`}.`
    await mkdir(dirname(join(directory, name)), { recursive: true, mode: 0o700 })
    await writeFile(join(directory, name), goldenCase(exchange, at, says, translated), OWNER_ONLY)
  }
  return {
    ...{ kept, file: files[candidate.file] ?? '', line: candidate.line, operation, status: status ?? null },
    case: translated === undefined ? null : name,
    covers: candidate.elements.length,
    alone: { count: alone.length, first },
  }
}

function reportOf(
  choice: Choice,
  { version, max, only }: ToWrite,
  exchanges: readonly KeptPlace[],
  bytes: number,
): DistilReport {
  const { read, covered, leftOut, redacted, unreadable, operations, looking, book } = choice
  return {
    ...{ distil: 1, gateway: version, read, kept: exchanges.length, elements: book.count, covered },
    ...{ bytes: { read: choice.bytes, kept: bytes }, max: max ?? null, only, leftOut, redacted },
    ...{ tooManyMembers: looking.full(), unreadable, operations, exchanges },
  }
}

/** The gateway's translation of a legacy request. */
interface TranslatedCall {
  /** The first call of v1, which depends on no answer. Undefined: v1 is not asked. */
  readonly asked:
    | {
        readonly method: string
        /** From the root, with its query. */
        readonly path: string
        readonly headers: Readonly<Record<string, string>>
        readonly body: Uint8Array | undefined
      }
    | undefined
  /** Sentences that say which calls follow, or why v1 is not asked. */
  readonly note: string | undefined
}

/** Translates a request; undefined: its operation has no golden case. */
export type Translate = (operation: string, request: ExchangeRequest) => TranslatedCall | undefined

/**
 * Writes a recorded golden case in the form of test/cases: the legacy request, the v1 call that it must become, and the recorded
 * legacy answer (docs/clients.md). It has no answer of v1, because none was recorded.
 */
function goldenCase(
  exchange: SortedExchange,
  at: Date | undefined,
  says: string,
  { asked, note }: TranslatedCall,
): string {
  const { request, status, answer, key, answeredBy } = exchange
  const { method, path, query, headers, body } = request
  return `${JSON.stringify(
    {
      says,
      legacy: { method, path: query === '' ? path : `${path}?${query}`, headers, ...bodyOf(body) },
      v1: asked === undefined ? [] : [{ asked: { ...asked, body: undefined, ...bodyOf(asked.body) } }],
      ...(note !== undefined && { note }),
      ...(status !== undefined && { answer: { status, ...bodyOf(answer) } }),
      recorded: { at, key: key ?? undefined, answeredBy },
    },
    null,
    2,
  )}\n`
}

/** Returns a body as JSON if that represents it fully, else as exact text: `100.00` is not `100`. */
function bodyOf(bytes: Uint8Array | undefined): { readonly body?: unknown; readonly text?: string } {
  if (bytes === undefined || bytes.length === 0) return {}
  const text = textOf(bytes)
  try {
    const body: unknown = JSON.parse(text)
    return JSON.stringify(body) === text ? { body } : { text }
  } catch {
    return { text }
  }
}

/** The time of entries without a recorded one, because HAR 1.2 requires a time. */
const NO_TIME = new Date(0)

/** Returns the beginning of a HAR 1.2, to be followed by entries with commas between them, and `HAR_END`. */
const harStart = (version: string): string =>
  `{"log":{"version":"1.2","creator":${JSON.stringify({ name: 'legacy-gateway distil', version })},"entries":[\n`
const HAR_END = '\n]}}\n'

/**
 * Writes an exchange as an entry of a HAR 1.2. Without a recorded answer it has no status: the status 0 would say that no server
 * answered.
 */
function harEntry({ at, exchange }: ReadAgain): string {
  const { request, status, answer = new Uint8Array(), key, answeredBy } = exchange
  const { method, path, query, headers, body } = request
  const type = headers['content-type'] ?? 'application/json'
  const neither = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return JSON.stringify({
    startedDateTime: (at ?? NO_TIME).toISOString(),
    time: 0,
    // HAR 1.2: names of one's own begin with an underscore.
    _key: key ?? undefined,
    _answeredBy: answeredBy,
    request: {
      ...neither,
      method,
      url: `${DISTILLED}${path}${query === '' ? '' : `?${query}`}`,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      bodySize: body.length,
      ...(body.length > 0 && { postData: { mimeType: type, text: textOf(body) } }),
    },
    response: {
      ...neither,
      status,
      statusText: '',
      headers: [],
      redirectURL: '',
      bodySize: answer.length,
      content: { size: answer.length, mimeType: 'application/json', text: textOf(answer) },
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  })
}

const textOf = (bytes: Uint8Array): string => bufferOf(bytes).toString()
