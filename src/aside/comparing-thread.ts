import { workerData } from 'node:worker_threads'
import { exchangeComparer } from '../compare/compare-exchange.ts'
import { type Expectations, expectationsByOperation } from '../compare/expected/expectations.ts'
import type { IgnoreRule } from '../compare/rollout/rollout.ts'
import { redactor } from '../exchange/redact/redactor.ts'
import { loadMappings } from '../gateway/load-mappings.ts'
import { explain } from '../guide/lines/explain.ts'
import { answerTasks } from './answer-tasks.ts'

/** What the thread starts with. */
export interface ComparingData {
  /** Redacts what is shown of values. */
  readonly key: Uint8Array
  readonly rules: readonly IgnoreRule[]
}

/** The tasks of the thread that compares answers. */
export interface ComparingTasks {
  readonly compare: ReturnType<typeof exchangeComparer>
  /** Compares by these rules from now on. */
  ignore(rules: readonly IgnoreRule[]): void
}

let { rules } = workerData as ComparingData
const expectations = expectationsByOperation(
  loadMappings().operations.map(({ mapping }) => ({ mapping, lines: explain(mapping) })),
  () => rules,
)

answerTasks({
  compare: exchangeComparer(
    (operation) => expectations().get(operation) as Expectations,
    redactor((workerData as ComparingData).key).body,
  ),
  ignore(changed) {
    rules = changed
  },
} satisfies ComparingTasks)
