import { createHash } from 'node:crypto'
import { diff } from './diff/diff.ts'
import { type Answer, type Difference, type Example, partOf } from './diff/difference.ts'
import { readBody } from './diff/json-value.ts'
import type { KnownLines } from './mapping/known-lines.ts'
import type { MappingLine } from './mapping/mapping-line.ts'

/** `ignored`: the answers differ in nothing that counts. `failed`: there was nothing to compare. */
export type Outcome = 'matched' | 'ignored' | 'mismatched' | 'failed' | 'skipped'

/** What came of asking a side: an answer, or how it failed (`timeout`, `unreachable`, …). */
export type Reply =
  | {
      readonly status: number
      readonly body: Uint8Array
      /** Names in lower case. */
      readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
      /** Why this is no answer of the side, whatever its status. */
      readonly failure?: string | undefined
    }
  | { readonly failure: string; readonly status?: undefined }

/** One exchange, asked of both sides. */
export interface Asked {
  readonly operation: string
  readonly known: KnownLines
  readonly control: Reply
  /** The control's second answer to the same request, to tell its own noise. */
  readonly control2?: Reply | undefined
  readonly candidate: Reply
  /** Its line in the recording, from 1. */
  readonly line?: number | undefined
  /** Whatever is the same for the same request: method, path, language, body. Only a hash of it is kept. */
  readonly input?: string | undefined
}

/** What one exchange has shown; `examples` aside it holds no value of a body. */
export interface Observation {
  readonly operation: string
  /** By this exchange alone. With noise, `Tally.record` knows more. */
  readonly outcome: Outcome
  /** Which side failed and how (`control: 503`), or why nothing was asked; null when it was compared. */
  readonly reason: string | null
  readonly differences: readonly Difference[]
  /** One for each difference, at the same place. Personal data, for the memory alone. */
  readonly examples: readonly Example[]
  /** Where the control's own two answers differ; null: it was asked once. */
  readonly noise: readonly Difference[] | null
  /** Lines of the mapping that we decided, on which this exchange sheds light. */
  readonly assumptions: readonly { readonly line: MappingLine; readonly holds: boolean }[]
  readonly line: number | undefined
  /** 32 bits. */
  readonly input: number | undefined
}

const NOTHING_SEEN = { differences: [], examples: [], noise: null, assumptions: [], input: undefined } as const

/** An exchange that was not sent to both sides. */
export function skipped(operation: string, reason: string, line?: number): Observation {
  return { ...NOTHING_SEEN, operation, outcome: 'skipped', reason, line }
}

/** Compares what two sides answered to the same request. */
export function observation({ operation, known, control, control2, candidate, line, input }: Asked): Observation {
  const was = readReply('control', control, known)
  const again = control2 && readReply('control', control2, known)
  const is = readReply('candidate', candidate, known)
  const failed = (reason: string): Observation => ({ ...NOTHING_SEEN, operation, outcome: 'failed', reason, line })
  if (typeof was === 'string') return failed(was)
  if (typeof again === 'string') return failed(again)
  if (typeof is === 'string') return failed(is)
  const { differences, examples } = diff(was, is)
  const counts = differences.some((difference) => known.ignored(difference) === null)
  return {
    operation,
    outcome: counts ? 'mismatched' : differences.length > 0 ? 'ignored' : 'matched',
    reason: null,
    differences,
    examples,
    noise: again === undefined ? null : diff(was, again).differences,
    assumptions: lightOn(known, was, differences),
    line,
    input: input === undefined ? undefined : createHash('sha256').update(input).digest().readUInt32BE(0),
  }
}

/** The answer with its body read, or why it is none that could be compared (docs/decisions/0041). */
function readReply(
  side: 'control' | 'candidate',
  reply: Reply,
  { promisesBody }: KnownLines,
): Required<Answer> | string {
  if (reply.status === undefined || reply.failure !== undefined) return `${side}: ${reply.failure}`
  const { status, body, headers = {} } = reply
  const gatewayError = side === 'candidate' ? headers['x-gateway-error'] : undefined
  if (gatewayError !== undefined) return `${side}: ${gatewayError}`
  if (status === 401 || (side === 'control' && status >= 500)) return `${side}: ${status}`
  const read = readBody(body)
  // Not what the contract promises; the gateway says so of v1 itself.
  if (status < 300 && promisesBody && read.unread === 'not JSON') return `${side}: malformed`
  return { status, body, read }
}

function lightOn(
  { assumptions }: KnownLines,
  { status, read: { json } }: Required<Answer>,
  differences: readonly Difference[],
): Observation['assumptions'] {
  const part = partOf(status)
  if (json === undefined || differences.some(({ kind }) => kind === 'status')) return []
  const seen: { readonly line: MappingLine; readonly holds: boolean }[] = []
  for (const assumption of assumptions) {
    if (assumption.part !== part) continue
    const { line } = assumption
    if (differences.some(assumption.isRefutedBy)) seen.push({ line, holds: false })
    else if (assumption.isIn(json)) seen.push({ line, holds: true })
  }
  return seen
}
