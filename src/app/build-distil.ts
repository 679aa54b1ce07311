import { randomBytes } from 'node:crypto'
import { operationFinder } from '../data-plane/gateway/legacy-paths.ts'
import { loadMappings } from '../data-plane/gateway/load-mappings.ts'
import { readsBody } from '../engine/compile/compile-operations.ts'
import { redactor } from '../exchange/redactor.ts'
import { explainRequests } from '../guide/explain/explain-requests.ts'
import { explain } from '../guide/lines/explain.ts'
import type { Operation } from '../mapping/operation.ts'
import { coveredOperation } from '../recordings/distil/cover.ts'
import type { DistilledOperation, DistilSources } from '../recordings/distil/look-at-exchanges.ts'
import type { Translate } from '../recordings/distil/write-distilled.ts'
import type { DistilConfig } from './command-config.ts'
import { findMapping, prefixesOf } from './find-mapping.ts'
import { readMappings } from './read-mappings.ts'

/** Everything that distilling needs to know about the service, and how to translate requests. */
interface BuiltDistil {
  readonly sources: DistilSources
  readonly translate: Translate
  /** All operations. */
  readonly mappings: readonly Operation[]
}

/** A placeholder: golden cases have the path of a v1 call, but no host. */
const V1 = new URL('http://v1.example')
const NO_BODY = new Uint8Array()

/**
 * Prepares distilling. Asks no service. Without `TOKEN_KEY` it makes a new key, so pseudonyms differ from run to run.
 * @throws MappingError if a mapping is invalid, ConfigError if MAPPING_FILE is.
 */
export function buildDistil({ basePath, legacyBaseUrl, mappingFile, tokenKeys }: DistilConfig): BuiltDistil {
  const { operations } = loadMappings(readMappings(mappingFile))
  const mappingOf = findMapping(operationFinder(operations, ''))
  const covered = new Map(
    operations.map(({ mapping }): [string, DistilledOperation] => [
      mapping.id,
      { ...coveredOperation(mapping, explain(mapping)), isLogin: mapping.login !== undefined },
    ]),
  )
  const translate: Translate = (id, { query, body, headers }) => {
    const operation = operations.find(({ mapping }) => mapping.id === id)
    if (operation === undefined || operation.mapping.v1 === undefined || operation.mapping.login !== undefined)
      return undefined
    const { mapping } = operation
    const { call } = operation.translateRequest({ query, body: readsBody(mapping.request) ? body : NO_BODY })
    if (call === undefined) return { asked: undefined, note: 'The gateway refuses the request, and does not ask v1.' }
    const { requests, next } = explainRequests(V1, mapping, call, headers['accept-language'])
    const [first] = requests
    if (first === undefined) return undefined
    const { 'Accept-Language': language } = first.headers
    return {
      asked: {
        method: first.method,
        path: first.url.slice(V1.origin.length),
        headers: language === undefined ? {} : { 'accept-language': language },
        body: call.body,
      },
      note: next.length === 0 ? undefined : next.join(' '),
    }
  }
  return {
    sources: {
      find: (method, path) => covered.get(mappingOf(method, path)?.id ?? ''),
      prefixes: prefixesOf(basePath, legacyBaseUrl),
      paths: operations.map(({ mapping }) => mapping.legacy.path),
      redact: redactor(tokenKeys[0] ?? randomBytes(32)),
    },
    translate,
    mappings: operations.map(({ mapping }) => mapping),
  }
}
