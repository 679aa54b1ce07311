import type { Gate } from '../../rollout/plan.ts'
import type { Facts } from '../audit.ts'
import { signedHeaders } from '../webhook/send-message.ts'

/** What a gate is asked: where a plan stands, as `GET /cutover` shows it. */
export interface GateQuestion {
  readonly operation: string
  /** How many steps were taken. */
  readonly step: number
  /** The percentage of the next step; null: there is none. */
  readonly next: number | null
  /** When this step was reached; ISO 8601. */
  readonly since: string
  /** What both sides answered at this step, as in the audit. */
  readonly counts: Facts['counts']
}

/**
 * What a gate says of the next step. `brake`: v1 must answer nothing any more. `why` is the rest of a sentence that begins with `the gate`:
 * `says: no parcel has left since 9`, `answered 503`.
 */
export type GateAnswer = { readonly says: 'go' } | { readonly says: 'wait' | 'brake'; readonly why: string }

/**
 * Sends a body to a gate, once. Resolves with the answer: `text` undefined if not all of its body arrived in time, or it is too long. Rejects
 * if there is none; the error's message is safe to show.
 */
export type PostToGate = (
  gate: Gate,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly text: string | undefined }>

/** Asks a gate. Never rejects. */
export type AskGate = (gate: Gate, question: GateQuestion, signal: AbortSignal) => Promise<GateAnswer>

/**
 * Returns what asks gates: 200 lets a step be taken, 204 and 409 let it wait, and 410 with a reason brakes. Whatever else happens, it waits:
 * a gate that is ill must not stop what is well.
 * @param secret signs the questions, as webhook messages are.
 */
export const gateAsker =
  (post: PostToGate, secret: string, newId: () => string): AskGate =>
  async (gate, question, signal) => {
    try {
      const body = Buffer.from(JSON.stringify(question))
      return answerIn(await post(gate, body, signedHeaders(newId(), body, secret), signal))
    } catch (error) {
      return wait(`did not answer: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

function answerIn({ status, text }: Awaited<ReturnType<PostToGate>>): GateAnswer {
  const why = reasonIn(text)
  if (status === 200) return { says: 'go' }
  if (status === 410 && why !== undefined) return { says: 'brake', why: `says: ${why}` }
  if (status === 410) return wait('answered 410 without a reason, which brakes nothing')
  if (status === 204 || status === 409) return wait(why === undefined ? 'gives no reason' : `says: ${why}`)
  return wait(`answered ${status}${status >= 300 && status < 400 ? ', and redirects are not followed' : ''}`)
}

const wait = (why: string): GateAnswer => ({ says: 'wait', why })

/** The most characters of a reason that are kept. */
const LONGEST_WHY = 300

/** Returns the member `why` of a JSON object, on one line, with nothing that cannot be stored or seen; undefined: there is none. */
function reasonIn(text: string | undefined): string | undefined {
  const { why } = (parsed(text) ?? {}) as { readonly why?: unknown }
  if (typeof why !== 'string') return undefined
  const clean = why
    .toWellFormed()
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  const characters = [...clean]
  if (characters.length === 0) return undefined
  return characters.length > LONGEST_WHY ? `${characters.slice(0, LONGEST_WHY).join('')}…` : clean
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
