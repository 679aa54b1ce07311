import { setPriority } from 'node:os'
import { type Comparer, comparer } from '../control-plane/evidence/compare-exchange.ts'
import { type Expectations, expectationsByOperation } from '../control-plane/evidence/expected/expectations.ts'
import type { IgnoreRule } from '../control-plane/evidence/expected/ignore-rule.ts'
import { loadMappings, shipped } from '../data-plane/gateway/load-mappings.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { redactor } from '../exchange/redactor.ts'
import { explain } from '../guide/lines/explain.ts'
import { correctedOperations } from '../mapping/corrections/corrected-operations.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import { exchangeLine, type RecordableExchange } from '../recordings/record-line.ts'
import { answerTasks, threadData } from './one-at-a-time.ts'
import { writeTranslation } from './open-comparing.ts'
import { type FindLinesToTry, linesToTry } from './try-lines.ts'

/** What the thread starts with. */
export interface ComparingData {
  /** The key for redacting the values that are shown. */
  readonly key: Uint8Array
  readonly rules: readonly IgnoreRule[]
  readonly corrections: Corrections
  /** See `ComparingTasks.tryOut`. */
  readonly toTry: Corrections
}

/** The tasks of the thread that compares answers. */
export interface ComparingTasks extends Comparer {
  /** Compares by these rules from now on. */
  ignore(rules: readonly IgnoreRule[]): void
  /** Compares by the shipped mappings with these corrections from now on. */
  correct(corrections: Corrections): void
  /** Compares once more with these corrections in force from now on. */
  tryOut(corrections: Corrections): void
  /** Writes a large exchange as a line of the recording, redacted. */
  recordLine(exchange: RecordableExchange): Uint8Array
}

/** Ten steps: when both want the processor, the thread gets a ninth of the event loop's time. */
const NICE = 10

giveWay()

const { key, ...first } = threadData<ComparingData>()
let { rules } = first
let mapped = mappedBy(first.corrections)
let tries = triesOf(first.toTry)
const expectations = expectationsByOperation(
  () => mapped.explained,
  () => rules,
)

const redact = redactor(key)

answerTasks({
  ...comparer({
    expectations: (operation) => expectations().get(operation) as Expectations,
    translation: (operation) => writeTranslation(mapped.byId.get(operation) as CompiledOperation),
    trial: (operation) => tries(operation),
    redact: redact.body,
  }),
  ignore(changed) {
    rules = changed
  },
  correct(corrections) {
    mapped = mappedBy(corrections)
  },
  tryOut(corrections) {
    tries = triesOf(corrections)
  },
  recordLine: (exchange) => exchangeLine(exchange, redact),
} satisfies ComparingTasks)

function triesOf(corrections: Corrections): FindLinesToTry {
  return linesToTry(shipped, corrections, () => rules)
}

/** Returns the operations as they are corrected. */
function mappedBy(corrections: Corrections) {
  const { operations } = loadMappings(correctedOperations(shipped, corrections))
  return {
    byId: new Map(operations.map((operation) => [operation.mapping.id, operation])),
    explained: operations.map(({ mapping }) => ({ mapping, lines: explain(mapping) })),
  }
}

/**
 * Lowers this thread's priority, so that all other threads go first when processors are busy. Only on Linux: elsewhere, a thread
 * has no priority of its own, and nothing changes.
 */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(NICE)
  } catch {
    // A sandbox may forbid it. The thread works all the same.
  }
}
