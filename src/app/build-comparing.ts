import type { Logger } from 'pino'
import { openComparing } from '../aside/open-comparing.ts'
import { writeTranslation } from '../aside/write-translation.ts'
import { type Comparing, comparer } from '../compare/compare-exchange.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { redactor } from '../exchange/redact/redactor.ts'
import { throttleReport } from '../observe/throttle-report.ts'
import type { Evidence } from './open-evidence.ts'

const REPORT_EVERY_MS = 60_000

/**
 * Builds what compares answers, in a thread of its own.
 * @param hasThreads false: the mappings are not the project's own. Other threads know only those, so this thread compares.
 */
export function buildComparing(
  { rollout, expectations }: Pick<Evidence, 'rollout' | 'expectations'>,
  operation: (id: string) => CompiledOperation,
  key: Uint8Array,
  hasThreads: boolean,
  log: Logger,
): Comparing {
  if (!hasThreads) {
    const { compare, checkWrite } = comparer(expectations, (id) => writeTranslation(operation(id)), redactor(key).body)
    return {
      compare: async (exchange) => compare(exchange),
      checkWrite: async (write) => checkWrite(write),
      close: async () => undefined,
    }
  }
  const onLost = throttleReport<string>(
    (exchanges, reason) => log.error({ exchanges, reason }, 'answers could not be compared, and are not judged'),
    REPORT_EVERY_MS,
  )
  return openComparing({ key, rules: () => rollout().ignore, onLost })
}
