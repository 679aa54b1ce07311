import type { Side } from '../../../exchange/exchange.ts'
import type { Translated } from '../../../guide/examples/translated.ts'
import type { CallToExplain, ExplainedCall } from '../../../guide/explain/explain-call.ts'
import type { ExplainedLine } from '../../../guide/lines/explained-line.ts'
import type { Operation } from '../../../mapping/operation.ts'
import type { State } from '../../../observe/readiness.ts'
import type { TrafficSnapshot } from '../../../observe/traffic.ts'
import type { BrownoutsReport } from '../../cutover/brownout/current-brownouts.ts'
import type { Order } from '../../cutover/decide/order.ts'
import type { ExampleCounts, ShownExchange } from '../../evidence/examples.ts'
import type { RuleUse } from '../../evidence/expected/rule-use.ts'
import type { ProposalsReport } from '../../evidence/proposals/proposals.ts'
import type { QueueState } from '../../evidence/shadow.ts'
import type { ComparedDay } from '../../evidence/tally/compared-days.ts'
import type { OperationReport } from '../../evidence/tally/operation-report.ts'
import type { StoreHealth } from '../../evidence/tally/state-store.ts'
import type { OverallJudgement } from '../../evidence/tally/verdict.ts'
import type { OperationRollout, Rollout } from '../../rollout/rollout.ts'
import type { CurrentRollout } from '../../rollout/rollout-file.ts'
import type { ReplicasReport } from '../../store/replicas.ts'
import type { KnownUsage } from '../../usage/stored-usage.ts'
import type { CutoverSource } from '../serve-cutover.ts'
import type { ChangeStreams } from './change-streams.ts'
import type { RepeatedWrites } from './repeated-writes.ts'

/** The sources of the dashboard. The functions are called for each page, so that it shows the current state. */
export interface DashboardSources {
  readonly traffic: () => TrafficSnapshot
  /** Returns the writes of an operation that clients sent again after an unknown outcome. */
  readonly repeatedWrites: (operation: string) => RepeatedWrites
  /** Who calls what, over restarts and replicas. */
  readonly usage: KnownUsage
  /** Returns the results, as in `GET /experiments`; those of other replicas are at most so old, if they can be read now. */
  readonly experiments: (ages?: { readonly maxAgeMs: number }) => Experiments | Promise<Experiments>
  /** Returns what would correct the mappings, as in `GET /proposals`. */
  readonly proposals: () => ProposalsReport
  /** Returns redacted exchanges that show an operation's differences: at most five for each, the latest first. */
  readonly examples: (operation: string) => readonly ShownExchange[]
  /** Explains a legacy call without sending anything. */
  readonly explain: (call: CallToExplain) => ExplainedCall
  /** The mappings of all operations, in the order of docs/contract.md 6. */
  readonly reference: readonly ReferenceOperation[]
  /** This gateway's version. */
  readonly version: string
  /** The path prefix of the legacy interface; empty if there is none. */
  readonly basePath: string
  readonly rollout: () => RolloutView
  /** Returns whether the mapping file is in effect. */
  readonly mapping: () => MappingFileView
  /** Returns the brownouts, as in `GET /brownouts`. */
  readonly brownouts: () => Promise<BrownoutsReport>
  /** Returns whether comparison results are stored. */
  readonly results: () => Pick<StoreHealth, 'failure'>
  /** Returns how the calls of each day compared, the oldest first. @throws StateError */
  readonly comparedDays: () => Promise<readonly ComparedDay[]>
  /** Returns what was last heard of the gateways that share the results. */
  readonly replicas: () => ReplicasReport
  readonly cutover: CutoverSources
  /** Tells open pages that numbers have changed. */
  readonly changes: Pick<ChangeStreams, 'answer'>
  /** Returns the state of the gateway and of the services behind it. */
  readonly state: () => Promise<State>
}

/** The answer to `GET /experiments`. */
export interface Experiments {
  /** When the results begin, ISO 8601. */
  readonly since: string
  /** When the results of other replicas were last read, if they could not be read now, ISO 8601; null: all results are current. */
  readonly asOf: string | null
  /** The operations with calls that were compared, skipped, or failed to be compared. */
  readonly operations: readonly Experiment[]
  /** Whether all operations that can be compared reach their targets at the same time. */
  readonly overall: OverallJudgement & { readonly kept: boolean }
  readonly queue: QueueState
  /** How many examples are in memory, and how many were cut or dropped since the process started. */
  readonly examples: ExampleCounts
  /** The ignore rules of the rollout file, and what each still does. */
  readonly rules: readonly RuleUse[]
  readonly rollout: Pick<CurrentRollout, 'loadedAt' | 'error'>
  readonly mapping: MappingFileView
}

/** The results of one operation. */
export interface Experiment extends Omit<OperationReport, 'differences'> {
  readonly differences: readonly ExperimentDifference[]
  readonly serve: Side
  /** The share of calls that are compared, 0 to 1: 0 if they never are. */
  readonly shadow: number
  /** Why none of its calls is ever compared; null: they can be. */
  readonly neverCompared: string | null
  /** False: the results are in memory only, and the verdict is lost when the process ends. */
  readonly kept: boolean
}

export type ExperimentDifference = Omit<OperationReport['differences'][number], 'lines'>

/** The sources of the pages Switch-off and Audit, and of their buttons. */
export interface CutoverSources extends CutoverSource {
  /** When the legacy interface ends; undefined if `SUNSET` is not set. */
  readonly sunset: Date | undefined
  /** Returns why an order would be refused now, in words; undefined if it would be carried out. */
  readonly refusalOf: (order: Pick<Order, 'operation' | 'action'>) => string | undefined
  /**
   * Returns a client's place, from 0 up to 100: v1 answers those whose place is below an operation's percentage.
   * @param seed of the operation's plan.
   */
  readonly placeOf: (client: string, seed?: string) => number
}

/** The mapping of an operation. */
export interface ReferenceOperation
  extends Pick<Operation, 'id' | 'says' | 'legacy' | 'v1' | 'effect' | 'login' | 'authorization' | 'corrections'> {
  /** Empty if v1 has no equivalent. */
  readonly lines: readonly ExplainedLine[]
  /** How many of its own lines are assumed, and lost: those that hold for all operations do not count. */
  readonly assumed: number
  readonly lost: number
  /** Undefined if the mapping lists no members. */
  readonly examples: { readonly request: Translated | undefined; readonly answer: Translated | undefined }
}

/** The rollout file, and what is in effect. */
export interface RolloutView extends Pick<CurrentRollout, 'loadedAt' | 'error'>, Pick<Rollout, 'serve' | 'limits'> {
  readonly operations: readonly RolloutOfOperation[]
}

/** The mapping file: when it was loaded, null if there is none, and why its newest version was refused, null if it was not. */
export type MappingFileView = Pick<CurrentRollout, 'loadedAt' | 'error'>

export interface RolloutOfOperation extends OperationRollout {
  readonly operation: string
  /** Whether a plan moves the percentage. */
  readonly hasPlan?: boolean
  /** Why it is never compared, whatever `shadow` is: `a write`; undefined if it can be. */
  readonly neverCompared?: string | undefined
}
