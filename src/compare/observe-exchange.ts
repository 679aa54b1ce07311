import { createHash } from 'node:crypto'
import { diff } from './diff/diff.ts'
import { type Answer, type Difference, type Example, partOf } from './diff/difference.ts'
import { readBody } from './diff/json-value.ts'
import type { Expectations } from './expected/expectations.ts'
import type { MappingLine } from './expected/mapping-lines.ts'

/** `ignored`: the answers differ, but no difference counts. `failed`: a side gave no answer that can be compared. */
export type Outcome = 'matched' | 'ignored' | 'mismatched' | 'failed' | 'skipped'

/** The result of asking a side: an answer, or how it failed (`timeout`, `unreachable`, …). */
export type Reply =
  | {
      readonly status: number
      readonly body: Uint8Array
      /** Names in lower case. */
      readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
      /** Why this does not count as an answer of the side, whatever its status. */
      readonly failure?: string | undefined
    }
  | { readonly failure: string; readonly status?: undefined }

/** One request with the replies of both sides. */
export interface Asked {
  readonly operation: string
  readonly expectations: Expectations
  readonly control: Reply
  /** The control's second answer to the same request, which shows its noise. */
  readonly control2?: Reply | undefined
  readonly candidate: Reply
  /** The line in the recording, from 1. */
  readonly line?: number | undefined
  /** A text that is equal for equal requests; see `inputOf`. Only a hash of it is kept. */
  readonly input?: string | undefined
}

/** The result of one comparison. Apart from `examples` it holds no value of a body. */
export interface Observation {
  readonly operation: string
  /** Judged by this exchange alone. `Tally.record` also takes the noise of earlier exchanges into account. */
  readonly outcome: Outcome
  /** Which side failed and how (`control: 503`), or why the exchange was skipped; null: it was compared. */
  readonly reason: string | null
  readonly differences: readonly Difference[]
  /** One per difference, at the same index. Personal data: never stored. */
  readonly examples: readonly Example[]
  /** Where the control's two answers differ from each other; null: it was asked once. */
  readonly noise: readonly Difference[] | null
  /** The assumed mapping lines that this exchange confirms or refutes. */
  readonly assumptions: readonly { readonly line: MappingLine; readonly holds: boolean }[]
  readonly line: number | undefined
  /** 32 bits. */
  readonly input: number | undefined
}

const NOT_COMPARED = { differences: [], examples: [], noise: null, assumptions: [], input: undefined } as const

/** Makes the observation of an exchange that was not sent to both sides. */
export function skipped(operation: string, reason: string, line?: number): Observation {
  return { ...NOT_COMPARED, operation, outcome: 'skipped', reason, line }
}

/** Compares the answers of both sides to the same request. */
export function observation({
  operation,
  expectations,
  control,
  control2,
  candidate,
  line,
  input,
}: Asked): Observation {
  const first = readReply('control', control, expectations)
  const second = control2 && readReply('control', control2, expectations)
  const compared = readReply('candidate', candidate, expectations)
  const failed = (reason: string): Observation => ({ ...NOT_COMPARED, operation, outcome: 'failed', reason, line })
  if (typeof first === 'string') return failed(first)
  if (typeof second === 'string') return failed(second)
  if (typeof compared === 'string') return failed(compared)
  const { differences, examples } = diff(first, compared)
  const counts = differences.some((difference) => expectations.ignored(difference) === null)
  return {
    operation,
    outcome: counts ? 'mismatched' : differences.length > 0 ? 'ignored' : 'matched',
    reason: null,
    differences,
    examples,
    noise: second === undefined ? null : diff(first, second).differences,
    assumptions: testAssumptions(expectations, first, differences),
    line,
    input: input === undefined ? undefined : createHash('sha256').update(input).digest().readUInt32BE(0),
  }
}

/** Reads the body of an answer. Returns a reason if the reply cannot be compared (docs/decisions/0041). */
function readReply(
  side: 'control' | 'candidate',
  reply: Reply,
  { promisesBody }: Expectations,
): Required<Answer> | string {
  if (reply.status === undefined || reply.failure !== undefined) return `${side}: ${reply.failure}`
  const { status, body, headers = {} } = reply
  const gatewayError = side === 'candidate' ? headers['x-gateway-error'] : undefined
  if (gatewayError !== undefined) return `${side}: ${gatewayError}`
  if (status === 401 || (side === 'control' && status >= 500)) return `${side}: ${status}`
  const read = readBody(body)
  // Breaks the contract. Of v1's answers the gateway itself reports this.
  if (status < 300 && promisesBody && read.unread === 'not JSON') return `${side}: malformed`
  return { status, body, read }
}

function testAssumptions(
  { assumptions }: Expectations,
  { status, read: { json } }: Required<Answer>,
  differences: readonly Difference[],
): Observation['assumptions'] {
  const part = partOf(status)
  if (json === undefined || differences.some(({ kind }) => kind === 'status')) return []
  const tested: { readonly line: MappingLine; readonly holds: boolean }[] = []
  for (const assumption of assumptions) {
    if (assumption.part !== part) continue
    const { line } = assumption
    if (differences.some(assumption.isRefutedBy)) tested.push({ line, holds: false })
    else if (assumption.isIn(json)) tested.push({ line, holds: true })
  }
  return tested
}
