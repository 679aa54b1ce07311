import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
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
    const { byMethod, methods: allow } = findPath(path) ?? {}
    const operation = byMethod?.get(method)
    if (operation !== undefined || allow === undefined) return operation
    throw new Refusal(405, 'method-not-allowed', { values: { allow }, headers: { allow } })
  }
}

/** Returns a call's path at the legacy service; undefined if the call must not be passed on. */
export type ForwardedPath = (path: string) => string | undefined

/**
 * Passes paths on as written, without the gateway's own prefix. Rejects paths outside the prefix; dot segments in any
 * encoding, which could leave the prefix of the service's address; and v1's own paths, which are not served even if one
 * service has both interfaces.
 */
export function pathForwarder(operations: readonly Operation[], basePath: string): ForwardedPath {
  const v1Root = commonRoot(operations.flatMap(({ v1 }) => (v1 === undefined ? [] : [v1.path])))
  return (path) => {
    if (!path.startsWith(`${basePath}/`)) return undefined
    const within = path.slice(basePath.length)
    const plain = decoded(within)
    if (plain === undefined || within.includes('#') || plain.split(/[/\\]/).some(isDots)) return undefined
    // Some servers treat several slashes or backslashes as one.
    const merged = plain.replaceAll(/[/\\]+/g, '/').toLowerCase()
    return v1Root !== '/' && merged.startsWith(v1Root.toLowerCase()) ? undefined : within
  }
}

/** Whether a segment is `.` or `..`, with or without parameters, which some servers accept in a segment (`..;x`). */
const isDots = (segment: string): boolean => /^\.\.?(;.*)?$/.test(segment)

/** Undoes percent-encoding, however many times it was applied; undefined if that takes more than eight rounds. */
function decoded(path: string): string | undefined {
  let plain = path
  for (let times = 0; times < 8; times++) {
    const before = plain
    plain = before.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (plain === before) return plain
  }
  return undefined
}

/** Returns the directory that all paths share, with a trailing slash. */
function commonRoot([first = '/', ...others]: readonly string[]): string {
  const parts = first.split('/').slice(0, -1)
  while (!others.every((path) => path.startsWith(`${parts.join('/')}/`))) parts.pop()
  return `${parts.join('/')}/`
}
