import type { Logger } from 'pino'
import {
  type Compared,
  type Comparing,
  comparer,
  MAX_COMPARED_BYTES,
} from '../control-plane/evidence/compare-exchange.ts'
import type { Expectations } from '../control-plane/evidence/expected/expectations.ts'
import type { Observation } from '../control-plane/evidence/observation.ts'
import type { LiveProposals } from '../control-plane/evidence/proposals/live-proposals.ts'
import { openShadow } from '../control-plane/evidence/shadow.ts'
import type { Rollout } from '../control-plane/rollout/rollout.ts'
import type { Gateway, LegacyService, ServedOperation } from '../data-plane/gateway/gateway.ts'
import type { FindOperation } from '../data-plane/gateway/legacy-paths.ts'
import { legacySide, v1Side } from '../data-plane/gateway/sides.ts'
import type { MemoryBeside } from '../data-plane/upstream/memory-budget.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { redactor } from '../exchange/redactor.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import type { Operation } from '../mapping/operation.ts'
import { throttleReport } from '../observe/throttle-report.ts'
import { exchangeLine } from '../recordings/record-line.ts'
import { type ComparingThread, openComparing, writeTranslation } from '../workers/open-comparing.ts'
import type { BuiltCopy } from './build-copy.ts'
import { liveLists } from './build-translation.ts'
import type { Evidence } from './open-evidence.ts'

/** What comparing answered calls requires. */
interface Parts {
  /** Finds operations by the path that the legacy service has. */
  readonly find: FindOperation<ServedOperation>
  readonly rollout: () => Rollout
  /** Returns what to expect of an operation's answers. */
  readonly expectations: (operation: string) => Expectations
  /** Returns what to learn from the next exchange of an operation. */
  readonly learningOf: LiveProposals['learningOf']
  /** Compares their answers, and checks writes. */
  readonly comparing: Comparing
  readonly memory: MemoryBeside
  /** Gets writes that legacy has answered; undefined: there is none. */
  readonly copy: BuiltCopy | undefined
  /** Called after every comparison; `exchange` undefined: it was dropped. */
  observe(compared: Compared, exchange: Exchange | undefined): void
}

/**
 * Compares answered calls: repeats them at the other side, without delaying any call.
 * @param gateway answers calls without comparing.
 * @param legacy the control.
 */
export function buildShadow(gateway: Gateway, legacy: LegacyService, parts: Parts): ReturnType<typeof openShadow> {
  const { find, rollout, expectations, learningOf, comparing, memory, copy, observe } = parts
  const ofOperation = (id: string): CompiledOperation => gateway.byId(id) as CompiledOperation
  const mapping = (id: string): Operation => ofOperation(id).mapping
  const now = (): number => performance.now()
  return openShadow({
    ...{ rollout, expectations, learningOf, comparing, observe },
    askLegacy: legacySide(legacy, { releaseHeader: gateway.releaseHeaders.legacy, baseUrl: legacy.baseUrl }),
    askV1: v1Side({ ...gateway, lists: liveLists() }, find, { mostV1Bytes: MAX_COMPARED_BYTES }),
    ...{ mapping, now },
    openCopy: copy && ((tell) => copy.open({ rollout, mapping, learningOf, comparing, now }, tell)),
    whyNot: (id) => whyNotCompared(ofOperation(id)),
    hold: (bytes) => (memory.hold(bytes, 'comparison') ? () => memory.release(bytes) : undefined),
  })
}

/**
 * Returns why an operation is not compared; null if it is. Only reads and calculations are sent to a second side
 * (docs/decisions/0066). A login was sent to both.
 */
function whyNotCompared({ mapping }: CompiledOperation): string | null {
  if (mapping.v1 === undefined) return 'v1 has no equivalent'
  return mapping.effect === 'write' ? 'write' : null
}

const REPORT_EVERY_MS = 60_000

/**
 * Builds what compares answers, in a thread of its own.
 * @param hasThreads false: the mappings are not the project's own. Other threads know only those, so this thread compares.
 */
export function buildComparing(
  { rollout, expectations, mappingFile }: Pick<Evidence, 'rollout' | 'expectations' | 'mappingFile'>,
  operation: (id: string) => CompiledOperation,
  toTry: () => Corrections,
  key: Uint8Array,
  hasThreads: boolean,
  log: Logger,
): ComparingThread {
  if (!hasThreads) {
    const redact = redactor(key)
    const { compare, checkWrite } = comparer({
      ...{ expectations, redact: redact.body },
      translation: (id) => writeTranslation(operation(id)),
    })
    return {
      compare: async (exchange) => compare(exchange),
      checkWrite: async (write) => checkWrite(write),
      recordLine: async (exchange) => exchangeLine(exchange, redact),
      close: async () => undefined,
    }
  }
  const onLost = throttleReport<string>(
    (exchanges, reason) => log.error({ exchanges, reason }, 'answers could not be compared, and are not judged'),
    REPORT_EVERY_MS,
  )
  const corrections = (): Corrections => mappingFile.current().corrections
  return openComparing({ key, rules: () => rollout().rules, corrections, toTry, onLost })
}

const MALFORMED_EVERY_MS = 60_000

type MayBeMalformed = Pick<Observation, 'operation' | 'reason' | 'malformedAt' | 'shownBy'>

interface Event {
  readonly operation: string
  readonly upstream: 'legacy' | 'v1'
  readonly reason: string
  /** Where the answer stops being JSON, in bytes from 0. */
  readonly byte: number | undefined
}

/** Returns a function that logs which answers in comparisons were malformed and why, at most one line a minute for each service. */
export function malformedLogger(log: Logger): (compared: MayBeMalformed) => void {
  const report = (exchanges: number, event: Event): void =>
    log.warn({ exchanges, ...event }, 'malformed answers in comparisons; the latest')
  const reports = { legacy: throttleReport(report, MALFORMED_EVERY_MS), v1: throttleReport(report, MALFORMED_EVERY_MS) }
  return ({ operation, reason, malformedAt, shownBy }) => {
    if (reason?.startsWith('control: malformed') === true) {
      reports.legacy({ operation, upstream: 'legacy', reason: reason.slice('control: '.length), byte: malformedAt })
    }
    const malformed = shownBy?.malformed
    if (malformed !== undefined) {
      reports.v1({ operation, upstream: 'v1', reason: `malformed: ${malformed}`, byte: undefined })
    }
  }
}
