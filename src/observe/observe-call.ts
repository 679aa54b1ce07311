import type { Logger } from 'pino'
import type { Answerer } from '../exchange/exchange.ts'
import { lineWriter } from './line-writer.ts'

/** A call that has been answered. */
export interface CallRecord {
  readonly requestId: string
  readonly method: string
  /** Without its query, which may hold personal data. */
  readonly path: string
  /** The caller's address. */
  readonly peer: string
  readonly operation: string | undefined
  /** The client it is counted under; not logged. */
  readonly client: string
  /** The `User-Agent` header, cut to 200 characters; undefined: it sent none. Not logged. */
  readonly agent: string | undefined
  /** The side that answered it or failed to; `gateway` if the gateway itself refused it. */
  readonly answeredBy: Answerer
  /** The number of request members that were not sent. */
  readonly dropped: number
  readonly status: number
  readonly v1Status: number | undefined
  /** v1's error code; undefined: v1 gave none. Not logged. */
  readonly v1Code: string | undefined
  readonly v1Calls: number
  /** The legacy service's status, if it was asked. */
  readonly legacyStatus: number | undefined
  readonly milliseconds: number
  readonly v1Milliseconds: number
  readonly legacyMilliseconds: number
  /** The number of the brownout that refused it; undefined: none did. Then no service was asked, and `answeredBy` means nothing. */
  readonly brownout: number | undefined
  /** A client asked for its own guide: no use of the legacy interface, so it is logged and not counted. `answeredBy` means nothing. */
  readonly isGuide?: boolean
  /**
   * The client hung up while the side that should answer was asked: after how long, and whether the call is a read. Undefined: it did not, or
   * the side had answered already. Not logged.
   */
  readonly givenUp?: { readonly afterMs: number; readonly isRead: boolean } | undefined
  /** The kind of failure of v1 or of the gateway itself. */
  readonly failure: string | undefined
  /** The error that was thrown, if any. */
  readonly error: unknown
}

export type Observe = (record: CallRecord) => void

/** Callers may send paths of any length. */
const MAX_PATH = 200

/** Logs one line per call: failures of v1 as warnings with their reason, our own as errors with their stack. */
export function callLogger(log: Logger): Observe {
  const info = lineWriter(log, 'info', 'call')
  return (call) => {
    const { error, path, failure } = call
    const line = {
      requestId: call.requestId,
      method: call.method,
      path: path.length > MAX_PATH ? path.slice(0, MAX_PATH) : path,
      peer: call.peer,
      operation: call.operation,
      answeredBy: call.brownout === undefined && call.isGuide !== true ? call.answeredBy : undefined,
      dropped: call.dropped,
      status: call.status,
      v1Status: call.v1Status,
      v1Calls: call.v1Calls,
      legacyStatus: call.legacyStatus,
      ms: rounded(call.milliseconds),
      v1Ms: rounded(call.v1Milliseconds),
      legacyMs: call.legacyMilliseconds === 0 ? undefined : rounded(call.legacyMilliseconds),
      brownout: call.brownout,
      failure,
    }
    if (failure === undefined) info(line)
    else if (failure === 'internal') log.error({ ...line, err: error }, 'call')
    else log.warn({ ...line, reason: error instanceof Error ? error.message : undefined }, 'call')
  }
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000
