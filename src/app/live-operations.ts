import { compileAnswerers } from '../data-plane/gateway/compile-answerers.ts'
import type { ServedOperation } from '../data-plane/gateway/gateway.ts'
import {
  type FindOperation,
  type FindPath,
  type ForwardedPath,
  operationFinder,
  pathFinder,
  pathForwarder,
} from '../data-plane/gateway/legacy-paths.ts'
import { loadMappings, shipped } from '../data-plane/gateway/load-mappings.ts'
import { correctedOperations } from '../mapping/corrections/corrected-operations.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Operation } from '../mapping/operation.ts'

/** The operations that new calls are served by. MAPPING_FILE may replace some while calls are under way: those go on with what they found. */
export interface LiveOperations {
  /** Returns them in display order: the same array until some are replaced. Ids, methods and paths never change. */
  readonly now: () => readonly ServedOperation[]
  /** Finders for the gateway's own paths. */
  readonly find: FindOperation<ServedOperation>
  readonly findPath: FindPath<ServedOperation>
  readonly byId: (id: string) => ServedOperation | undefined
  readonly forwardedPath: ForwardedPath
  /** Finds operations by the path that the legacy service has. */
  readonly findAtLegacy: FindOperation<ServedOperation>
  /**
   * Corrects the shipped mappings, checks and compiles what has changed, and returns a function that puts it into use. That returns the
   * operations which it has replaced.
   * @throws CorrectionsError or MappingError if the corrections cannot be used.
   */
  prepare(corrections: Corrections): () => readonly ServedOperation[]
}

/**
 * Compiles the mappings that the gateway starts with.
 * @param mappings default: the project's own.
 * @throws MappingError if one is invalid.
 */
export function liveOperations(basePath: string, mappings: readonly Operation[] = shipped): LiveOperations {
  /** Those that were made last, of which some may not be in use. */
  let made = mappings
  let current = { mappings, ...found(compileAnswerers(loadMappings(mappings).operations), basePath) }
  const atLegacy = oncePer((operations: readonly ServedOperation[]) => operationFinder(operations, ''))
  return {
    now: () => current.operations,
    find: (method, path) => current.find(method, path),
    findPath: (path) => current.findPath(path),
    byId: (id) => current.byId.get(id),
    forwardedPath: pathForwarder(mappings, basePath),
    findAtLegacy: (method, path) => atLegacy(current.operations)(method, path),
    prepare(corrections) {
      const corrected = correctedOperations(mappings, corrections, [...current.mappings, ...made])
      const operations = compileAnswerers(loadMappings(corrected).operations)
      made = corrected.map((operation, at) => (operation === mappings[at] ? (made[at] as Operation) : operation))
      const next = { mappings: corrected, ...found(operations, basePath) }
      return () => {
        const replaced = current.operations.filter((operation) => !operations.includes(operation))
        if (replaced.length > 0) current = next
        return replaced
      }
    },
  }
}

const found = (operations: readonly ServedOperation[], basePath: string) => ({
  operations,
  find: operationFinder(operations, basePath),
  findPath: pathFinder(operations, basePath),
  byId: new Map(operations.map((operation) => [operation.mapping.id, operation])),
})
