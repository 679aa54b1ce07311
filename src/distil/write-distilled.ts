import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Choice } from './choose-exchanges.ts'
import type { DistilReport, KeptPlace } from './distilled.ts'
import { goldenCase, type Translate } from './golden-case.ts'
import { CASES, openOut, outErrorOf, REPORT } from './out-directory.ts'
import { type ReadAgain, readChosen } from './read-chosen.ts'
import { HAR_END, harEntry, harStart } from './write-har.ts'

/** Where and how to write. */
export interface ToWrite {
  readonly directory: string
  readonly replaces: boolean
  readonly version: string
  readonly max: number | undefined
  readonly only: readonly string[]
  readonly translate: Translate
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
  { chosen, exchange }: ReadAgain,
  { book, files }: Choice,
  { translate }: ToWrite,
  directory: string,
  kept: number,
): Promise<KeptPlace> {
  const { candidate, alone } = chosen
  const { operation, status, request } = exchange
  const first = alone.slice(0, NAMED).map(book.elementAt)
  const translated = translate(operation, request)
  const name = `${CASES}/${operation}/${status ?? 'no-answer'}-line-${kept}.json`
  if (translated !== undefined) {
    const answered = status === undefined ? 'without a recorded answer' : `answered with ${status}`
    const [shown] = first
    const says = `A recorded call of ${operation}, ${answered}${shown === undefined ? '' : `; only here: ${shown}`}.`
    await mkdir(dirname(join(directory, name)), { recursive: true, mode: 0o700 })
    await writeFile(join(directory, name), goldenCase(exchange, says, translated), OWNER_ONLY)
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
    ...{ distil: 1, gateway: version, read, kept: exchanges.length, elements: book.count(), covered },
    ...{ bytes: { read: choice.bytes, kept: bytes }, max: max ?? null, only, leftOut, redacted },
    ...{ tooManyMembers: looking.full(), unreadable, operations, exchanges },
  }
}
