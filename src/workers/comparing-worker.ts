import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { type Comparer, comparer } from '../compare/compare-exchange.ts'
import { type Expectations, expectationsByOperation } from '../compare/expected/expectations.ts'
import type { IgnoreRule } from '../compare/rollout/ignore-rule.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { redactor } from '../exchange/redactor.ts'
import { loadMappings } from '../gateway/load-mappings.ts'
import { explain } from '../guide/lines/explain.ts'
import { writeTranslation } from './open-comparing.ts'
import { answerCalls } from './rpc.ts'

/** What the thread starts with. */
export interface ComparingData {
  /** The key for redacting the values that are shown. */
  readonly key: Uint8Array
  readonly rules: readonly IgnoreRule[]
}

/** The tasks of the thread that compares answers. */
export interface ComparingTasks extends Comparer {
  /** Compares by these rules from now on. */
  ignore(rules: readonly IgnoreRule[]): void
}

/** Ten steps: when both want the processor, the thread gets a ninth of the event loop's time. */
const NICE = 10

giveWay()

let { rules } = workerData as ComparingData
const { operations } = loadMappings()
const byId = new Map(operations.map((operation) => [operation.mapping.id, operation]))
const expectations = expectationsByOperation(
  operations.map(({ mapping }) => ({ mapping, lines: explain(mapping) })),
  () => rules,
)

answerCalls({
  ...comparer(
    (operation) => expectations().get(operation) as Expectations,
    (operation) => writeTranslation(byId.get(operation) as CompiledOperation),
    redactor((workerData as ComparingData).key).body,
  ),
  ignore(changed) {
    rules = changed
  },
} satisfies ComparingTasks)

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
