import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { Refusal } from './errors/refusal.ts'

export type FindOperation = (method: string, path: string) => CompiledOperation | undefined

/**
 * Finds operations by method and path, which are matched exactly as written: no decoding, no other case, no trailing slash.
 * HEAD is GET (RFC 9110 section 9.3.2). Undefined for a path that no mapping knows; throws a Refusal 405 with `Allow` for
 * another method of one that is known.
 */
export function operationFinder(operations: readonly CompiledOperation[], basePath: string): FindOperation {
  const byPath = new Map<string, Map<string, CompiledOperation>>()
  for (const operation of operations) {
    const { method, path } = operation.mapping.legacy
    const methods = byPath.get(basePath + path) ?? new Map<string, CompiledOperation>()
    byPath.set(basePath + path, methods.set(method, operation))
    if (method === 'GET') methods.set('HEAD', operation)
  }
  return (method, path) => {
    const methods = byPath.get(path)
    if (methods === undefined) return undefined
    const operation = methods.get(method)
    if (operation !== undefined) return operation
    const allow = [...methods.keys()].join(', ')
    throw new Refusal(405, 'method-not-allowed', { values: { allow }, headers: { allow } })
  }
}
