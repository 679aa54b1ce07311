import { type Explainer, explainCall } from './explain-call.ts'
import { readCallToExplain } from './explain-input.ts'

/** Answers a request to explain a call, as JSON: with an ExplainedCall, or with the mistakes of an invalid request. */
export function explainOrder(explainer: Explainer, json: Uint8Array): ExplainedOrder {
  const call = readCallToExplain(json)
  if ('errors' in call) {
    return { status: 400, body: JSON.stringify({ message: 'The request is not valid.', errors: call.errors }) }
  }
  return { status: 200, body: JSON.stringify(explainCall(explainer, call)) }
}

export interface ExplainedOrder {
  readonly status: 200 | 400
  readonly body: string
}

/** The part of an explainer that must be sent to the other thread; both have the rest. */
export type ExplainedBy = Pick<Explainer, 'basePath' | 'hasLegacy' | 'v1BaseUrl' | 'maxBodyBytes'>

/** Explains large calls in another thread, as `explainOrder` does. */
export interface ExplainAside {
  explainOrder(by: ExplainedBy, order: Uint8Array): Promise<ExplainedOrder>
}
