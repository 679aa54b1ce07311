import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { Refusal } from './errors/refusal.ts'

/** A path that mappings know. */
export interface KnownPath<Operation> {
  readonly byMethod: ReadonlyMap<string, Operation>
  /** The methods, as in `Allow`. */
  readonly methods: string
}

export type FindPath<Operation> = (path: string) => KnownPath<Operation> | undefined

/**
 * Compiles a lookup of paths. Paths match exactly as written: no decoding, case-sensitive, no trailing slash. An
 * unknown path gives undefined. HEAD is treated as GET (RFC 9110 section 9.3.2).
 */
export function pathFinder<Operation extends CompiledOperation>(
  operations: readonly Operation[],
  basePath: string,
): FindPath<Operation> {
  const operationsByPath = Map.groupBy(operations, ({ mapping }) => basePath + mapping.legacy.path)
  const byPath = new Map<string, KnownPath<Operation>>()
  for (const [path, ofPath] of operationsByPath) {
    const byMethod = new Map<string, Operation>()
    for (const operation of ofPath) {
      const { method } = operation.mapping.legacy
      byMethod.set(method, operation)
      if (method === 'GET') byMethod.set('HEAD', operation)
    }
    byPath.set(path, { byMethod, methods: [...byMethod.keys()].join(', ') })
  }
  return (path) => byPath.get(path)
}

export type FindOperation<Operation = CompiledOperation> = (method: string, path: string) => Operation | undefined

/**
 * Compiles a lookup of operations by method and path. Paths match as in `pathFinder`. The lookup throws a Refusal 405
 * with `Allow` if the path is known, but not with this method.
 */
export function operationFinder<Operation extends CompiledOperation>(
  operations: readonly Operation[],
  basePath: string,
): FindOperation<Operation> {
  const findPath = pathFinder(operations, basePath)
  return (method, path) => {
    const found = findPath(path)
    if (found === undefined) return undefined
    const operation = found.byMethod.get(method)
    if (operation !== undefined) return operation
    const allow = found.methods
    throw new Refusal(405, 'method-not-allowed', { values: { allow }, headers: { allow } })
  }
}
