import { Refusal } from '../data-plane/gateway/errors/refusal.ts'
import type { operationFinder } from '../data-plane/gateway/legacy-paths.ts'
import type { Operation } from '../mapping/operation.ts'

/** Finds the mapping of a recorded call; undefined: none has this path and method. HEAD finds none, since its answer has no body. */
export function findMapping(
  find: ReturnType<typeof operationFinder>,
): (method: string, path: string) => Operation | undefined {
  return (method, path) => {
    try {
      const mapping = find(method, path)?.mapping
      return mapping?.legacy.method === method ? mapping : undefined
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }
}

/**
 * Returns the prefixes of recorded paths. A recording may come from in front of the gateway, or of the legacy service
 * itself.
 */
export function prefixesOf(basePath: string, legacy: URL | undefined): readonly string[] {
  return [basePath, legacy?.pathname.replace(/\/+$/, '') ?? ''].filter((prefix) => prefix !== '')
}
