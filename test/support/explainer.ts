import { operations as allOperations } from '../../mappings/index.ts'
import en from '../../mappings/messages/en.json' with { type: 'json' }
import tr from '../../mappings/messages/tr.json' with { type: 'json' }
import { operationFinder, pathForwarder } from '../../src/data-plane/gateway/legacy-paths.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { type CallToExplain, type ExplainedCall, explainCall } from '../../src/guide/explain/explain-call.ts'
import type { Operation } from '../../src/mapping/operation.ts'

export interface ExplainOptions {
  readonly v1?: string
  readonly basePath?: string
  readonly maxBodyBytes?: number
  readonly hasLegacy?: boolean
  readonly operations?: readonly Operation[]
}

/** A call as a test writes it; `text` is the exact body. */
export type WrittenCall = Partial<Omit<CallToExplain, 'body' | 'path'>> & {
  readonly path: string
  readonly body?: string | Uint8Array
}

/** Explains calls, by default of the real mappings; v1 is at `http://v1.test`. */
export function explaining(options: ExplainOptions = {}): (call: WrittenCall) => ExplainedCall {
  const { v1 = 'http://v1.test', basePath = '', maxBodyBytes = 1_048_576, operations = allOperations } = options
  const { hasLegacy = false } = options
  const compiled = compileOperations(operations)
  const explainer = {
    operations: compiled,
    find: operationFinder(compiled, basePath),
    basePath,
    hasLegacy,
    forwardedPath: pathForwarder(operations, basePath),
    messages: { en, tr },
    v1BaseUrl: new URL(v1),
    maxBodyBytes,
  }
  return ({ method = 'POST', path, headers = {}, body = '' }) =>
    explainCall(explainer, { method, path, headers, body: Buffer.from(body) })
}
