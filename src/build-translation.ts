import { operations as allOperations } from '../mappings/index.ts'
import en from '../mappings/messages/en.json' with { type: 'json' }
import tr from '../mappings/messages/tr.json' with { type: 'json' }
import type { Config } from './config.ts'
import { type CompiledOperation, compileOperations } from './engine/compile-operations.ts'
import { MappingError } from './engine/mapping-error.ts'
import { operationFinder } from './gateway/find-operation.ts'
import { pathForwarder } from './gateway/forwarded-path.ts'
import type { Gateway } from './gateway/gateway.ts'
import { checkMessages } from './gateway/messages.ts'
import { failureOf, isTokenRefused } from './gateway/translate-error.ts'
import type { Operation } from './mapping/operation.ts'
import { referenceLists } from './reference/reference-lists.ts'
import { openUpstream } from './upstream/upstream.ts'

const messages = { en, tr }

export type TranslationSettings = Pick<
  Config,
  'basePath' | 'upstreamTimeoutMs' | 'maxBodyBytes' | 'referenceTtlMs' | 'referenceStaleMs'
>

/** Legacy calls on top of v1, with nothing that listens, and no legacy service. */
export interface Translation {
  readonly operations: readonly CompiledOperation[]
  readonly gateway: Gateway
  /** Closes the connections to v1; what is still under way ends. */
  close(): Promise<void>
}

/** @throws MappingError when a mapping cannot be right. */
export function buildTranslation(
  settings: TranslationSettings,
  v1BaseUrl: URL,
  mappings: readonly Operation[] = allOperations,
): Translation {
  const missing = checkMessages(messages, mappings)
  if (missing.length > 0) throw new MappingError(missing)
  const operations = compileOperations(mappings)
  const v1 = openUpstream({ baseUrl: v1BaseUrl, timeoutMs: settings.upstreamTimeoutMs })
  const lists = referenceLists({
    ttlMs: settings.referenceTtlMs,
    staleMs: settings.referenceStaleMs,
    failureOf,
    isRefusal: isTokenRefused,
  })
  return {
    operations,
    gateway: {
      find: operationFinder(operations, settings.basePath),
      byId: (id) => operations.find(({ mapping }) => mapping.id === id),
      v1,
      legacy: undefined,
      tokens: undefined,
      forwardedPath: pathForwarder(mappings, settings.basePath),
      route: () => 'v1',
      watch: { wants: () => false, take: () => undefined },
      lists,
      messages,
      maxBodyBytes: settings.maxBodyBytes,
    },
    close: () => v1.close(),
  }
}
