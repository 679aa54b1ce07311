import type { BrownoutsReport } from '../../cutover/brownout/current-brownouts.ts'
import type { Side } from '../../exchange/exchange.ts'
import type { State } from '../../observe/readiness.ts'
import type { TrafficSnapshot } from '../../observe/traffic.ts'
import type { ReplicasReport } from '../../state/replicas.ts'
import type { KnownUsage } from '../../usage/known-usage.ts'
import type { CutoverSources } from './cutover-sources.ts'
import type { DifferenceExample, Experiments, LoadedFile, ResultsHealth } from './experiment-sources.ts'
import type { ExplainedForm } from './explain-page.ts'

/** The sources of the dashboard. The functions are called for each page, so that it shows the current state. */
export interface DashboardSources {
  readonly traffic: () => TrafficSnapshot
  /** Who calls what, over restarts and replicas. */
  readonly usage: KnownUsage
  /** Returns the results, as in `GET /experiments`. */
  readonly experiments: () => Experiments | Promise<Experiments>
  /** Returns redacted examples of an operation's differences: at most five of each, the latest first. */
  readonly examples: (operation: string) => readonly DifferenceExample[]
  /** Explains a legacy call without sending anything. */
  readonly explain: (call: CallToExplain) => ExplainedCall
  /** Explains a large form in another thread. If this is undefined or returns undefined, the form is explained in this thread. */
  readonly explainAside?: (form: Uint8Array) => Promise<ExplainedForm> | undefined
  /** The mappings of all operations, in the order of docs/contract.md 6. */
  readonly reference: readonly ReferenceOperation[]
  /** The path prefix of the legacy interface; empty if there is none. */
  readonly basePath: string
  readonly rollout: () => RolloutView
  /** Returns the brownouts, as in `GET /brownouts`. */
  readonly brownouts: () => Promise<BrownoutsReport>
  /** Returns whether comparison results are stored. */
  readonly results: () => ResultsHealth
  /** Returns what was last heard of the gateways that share the results. */
  readonly replicas: () => ReplicasReport
  readonly cutover: CutoverSources
  /** Returns the state of the gateway and of the services behind it. */
  readonly state: () => Promise<State>
}

export interface CallToExplain {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface ExplainedCall {
  readonly operation: string | null
  readonly says: string | null
  readonly legacy: Route
  readonly requests: readonly {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
    readonly curl: string
  }[]
  readonly then?: string
  readonly dropped: readonly string[]
  readonly refusal?: { readonly status: number; readonly body: unknown; readonly why: readonly string[] }
  readonly lines: readonly Line[]
}

/** A mapping line: where a member is on both sides, what changes, and why. */
export interface Line {
  readonly part: 'request' | 'header' | 'answer' | 'error'
  /** Null if that side does not have it. Empty for the whole body, or query. */
  readonly legacy: string | null
  readonly v1: string | null
  readonly change: string
  readonly says: string | null
  readonly basis: 'documented' | 'assumed' | 'lost'
  readonly reason: string | null
}

export interface Route {
  readonly method: string
  readonly path: string
}

export interface ReferenceOperation {
  readonly id: string
  readonly says: string
  readonly legacy: Route
  readonly v1: Route | undefined
  readonly effect: string
  readonly authorization: 'token' | 'none'
  /** Empty if v1 has no equivalent. */
  readonly lines: readonly Line[]
  /** How many of its own lines are assumed, and lost: those that hold for all operations do not count. */
  readonly assumed: number
  readonly lost: number
  /** Undefined if the mapping lists no members. */
  readonly examples: { readonly request: Translated | undefined; readonly answer: Translated | undefined }
}

/** One message in both interfaces. */
export interface Translated {
  readonly legacy: Message
  readonly v1: Message
}

export interface Message {
  /** The request line, or the status; empty if unknown. */
  readonly line: string
  readonly body: string | undefined
}

export interface RolloutView extends LoadedFile {
  /** Who answers where the file says nothing. */
  readonly serve: Side
  readonly operations: readonly {
    readonly operation: string
    readonly serve: Side
    readonly v1Percent: number
    /** Whether a plan moves the percentage. */
    readonly hasPlan?: boolean
    readonly clients: Readonly<Record<string, Side>>
    readonly shadow: number
    /** Why it is never compared, whatever `shadow` is: `a write`, `a login`; undefined if it can be. */
    readonly neverCompared?: string | undefined
    readonly noise: boolean
    readonly shadowWrites?: string | undefined
    readonly target: number
    readonly plan?: { readonly withoutVerdict?: string | undefined } | undefined
  }[]
  readonly limits: { readonly queue: number; readonly concurrency: number; readonly timeoutMs: number }
}
