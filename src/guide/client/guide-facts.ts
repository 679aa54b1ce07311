import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { CallFacts } from './operation-guide.ts'
import type { UsedOperation } from './used-operation.ts'

/** What a guide is made from, besides the client's calls. */
export interface GuideFacts extends Omit<CallFacts, 'v1'> {
  readonly client: string
  readonly madeAt: Date
  /** When the legacy interface is removed; undefined: not announced. */
  readonly sunset: Date | undefined
  /** The public address of v1; undefined: it is not known. */
  readonly v1: URL | undefined
  readonly operations: readonly CompiledOperation[]
}

/** Stands for v1 while its address is not known (RFC 2606). */
export const UNKNOWN_V1 = new URL('https://v1.example')

/** An operation that a client used, with what the mapping and the calls say of it. */
export interface Used {
  readonly operation: CompiledOperation
  readonly used: UsedOperation
}
