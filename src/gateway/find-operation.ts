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
 * Finds paths, which are matched exactly as written: no decoding, no other case, no trailing slash. Undefined for one that no
 * mapping knows. HEAD is GET (RFC 9110 section 9.3.2).
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
 * Finds operations by method and path, as `pathFinder` finds paths. Throws a Refusal 405 with `Allow` for another method of a
 * path that is known.
 */
export function operationFinder<Operation extends CompiledOperation>(
  operations: readonly Operation[],
  basePath: string,
): FindOperation<Operation> {
  const findPath = pathFinder(operations, basePath)
  return (method, path) => {
    const known = findPath(path)
    if (known === undefined) return undefined
    const operation = known.byMethod.get(method)
    if (operation !== undefined) return operation
    const allow = known.methods
    throw new Refusal(405, 'method-not-allowed', { values: { allow }, headers: { allow } })
  }
}
