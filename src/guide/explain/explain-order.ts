import { type Explainer, explainCall } from './explain-call.ts'
import { readCallToExplain } from './explain-input.ts'

/** Answers an order to explain a call, as JSON: an ExplainedCall, or the mistakes of an order that cannot be read. */
export function explainOrder(explainer: Explainer, json: Uint8Array): ExplainedOrder {
  const call = readCallToExplain(json)
  if ('errors' in call) {
    return { status: 400, body: JSON.stringify({ message: 'The order cannot be read.', errors: call.errors }) }
  }
  return { status: 200, body: JSON.stringify(explainCall(explainer, call)) }
}

export interface ExplainedOrder {
  readonly status: 200 | 400
  readonly body: string
}

/** What is an explainer's own; the rest is the same in both threads. */
export type ExplainedBy = Pick<Explainer, 'basePath' | 'hasLegacy' | 'v1BaseUrl' | 'maxBodyBytes'>

/** Explains large orders in another thread, as `explainOrder` does. */
export interface ExplainAside {
  explainOrder(by: ExplainedBy, order: Uint8Array): Promise<ExplainedOrder>
}
