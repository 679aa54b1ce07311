import type { Filled } from '../data-plane/gateway/large-texts.ts'
import { loadMappings, shipped } from '../data-plane/gateway/load-mappings.ts'
import {
  checkAcknowledged,
  type PageRows,
  rewriteList,
  rewritePage,
  rewriteRecord,
  rewriteRows,
  type Slice,
} from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { recordFinder, requestRowFinder } from '../engine/json-members.ts'
import { readV1Error, type V1ErrorBody } from '../engine/read-v1-error.ts'
import type { LegacyInput, Translation } from '../engine/translate-request.ts'
import { correctedOperations } from '../mapping/corrections/corrected-operations.ts'
import type { OperationCorrections } from '../mapping/corrections/corrections.ts'
import { versionOf } from '../mapping/corrections/mapping-version.ts'
import { answerTasks } from './one-at-a-time.ts'

/** The most dropped names returned: more would take the main thread too long to read. */
const MOST_DROPPED = 5_000

/** A version of a shipped mapping: plain data. */
export interface NamedMapping {
  readonly id: string
  /** See `versionOf`. */
  readonly version: string
  readonly corrections: OperationCorrections | undefined
}

/** The tasks of the thread for large texts. Arguments and results are plain data. */
export type TextTasks = ReturnType<typeof textTasks>

function textTasks() {
  /** The last version that was asked for, by id. Calls of the version before it may still be under way, so tasks say which they mean. */
  const operations = new Map(loadMappings().operations.map((operation) => [operation.mapping.id, operation]))
  const compiledOf = ({ id, version, corrections }: NamedMapping): CompiledOperation => {
    const last = operations.get(id)
    if (last !== undefined && versionOf(last.mapping) === version) return last
    const corrected = correctedOperations(shipped, {
      operations: corrections === undefined ? {} : { [id]: corrections },
    })
    const operation = loadMappings(corrected).operations.find(({ mapping }) => mapping.id === id)
    if (operation === undefined) throw new Error(`no operation ${id}`)
    operations.set(id, operation)
    return operation
  }
  return {
    translateRequest(mapping: NamedMapping, input: LegacyInput): Translation {
      const { dropped, ...translation } = compiledOf(mapping).translateRequest(input)
      return {
        ...translation,
        dropped: dropped.size > MOST_DROPPED ? new Set([...dropped].slice(0, MOST_DROPPED)) : dropped,
      }
    },
    rewritePage(mapping: NamedMapping, v1: Uint8Array): Uint8Array {
      const { page } = compiledOf(mapping)
      if (page === undefined) throw new Error(`${mapping.id} has no page`)
      return rewritePage(page, v1)
    },
    rewriteRows: (mapping: NamedMapping, v1: Uint8Array, slice: Slice): PageRows =>
      rewriteRows(compiledOf(mapping).answer, v1, slice),
    checkAcknowledged: (v1: Uint8Array): void => checkAcknowledged(v1),
    readV1Error: (v1: Uint8Array): V1ErrorBody => readV1Error(v1),
    rewriteFilled(
      mapping: NamedMapping,
      kind: 'record' | 'list',
      v1: Uint8Array,
      request: Uint8Array,
      lists: ReadonlyMap<string, Uint8Array | null>,
    ): Filled {
      const finders = new Map<string, ReturnType<typeof recordFinder>>()
      for (const [list, body] of lists) if (body !== null) finders.set(list, recordFinder(body))
      const missing = new Set<string>()
      const rewrite = kind === 'record' ? rewriteRecord : rewriteList
      const legacy = rewrite(compiledOf(mapping).answer, v1, {
        context: {
          requestRow: requestRowFinder(request),
          reference(list, match, key, take) {
            if (!lists.has(list)) missing.add(list)
            return finders.get(list)?.(match, key, take)
          },
        },
      })
      return missing.size === 0 ? { legacy } : { missing: [...missing], v1 }
    },
  }
}

answerTasks(textTasks())
