import type { TokenOwner } from '../data-plane/gateway/login/known-tokens.ts'
import type { RepeatedWrite } from '../data-plane/gateway/unknown-outcomes.ts'
import type { Answerer, CapturedExchange, Missed } from '../exchange/exchange.ts'
import type { MakeGuide } from '../exchange/guide-form.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import type { Decisions } from './decisions.ts'

// The data plane serves calls on the main thread; the control plane knows and decides in a thread of its own. Between them
// go batches, decisions (decisions.ts) and questions. All of them are plain data.

/** What the data plane tells the control plane, every 50 ms while there is something to tell. */
export interface Batch {
  readonly calls: readonly CountedCall[]
  readonly exchanges: readonly HandedOver[]
  /** Calls that were to be compared, and are no exchanges. */
  readonly missed: readonly { readonly operation: string; readonly why: Missed }[]
  /** How many calls were not drawn for comparison, by operation. */
  readonly notDrawn: ReadonlyMap<string, number>
  /** Tokens that logins got, and those that a service still accepts. */
  readonly owners: readonly TokenOwner[]
}

/** What is counted of an answered call. */
export interface CountedCall {
  /** Undefined: no mapping knows it. */
  readonly operation: string | undefined
  readonly client: string
  readonly status: number
  /** `gateway`: it refused the call itself, so neither side was asked. */
  readonly answeredBy: Answerer
  readonly milliseconds: number
  /** When it arrived; ms since the epoch. */
  readonly at: number
  /** How long before the batch was sent it was answered; ms. */
  readonly agoMs: number
  /** Set if no mapping knows it, as is the path. */
  readonly method: string
  readonly path: string
  readonly agent: string | undefined
  readonly v1Code: string | undefined
  readonly failure: string | undefined
  readonly brownout: number | undefined
  /** Whether the client chose the side; unset: it did not. */
  readonly isChosen?: boolean | undefined
  /** The write of unknown outcome that it repeats; unset: it repeats none. */
  readonly repeats?: RepeatedWrite | undefined
  readonly givenUp: { readonly afterMs: number; readonly isRead: boolean } | undefined
}

/** An exchange, and what to do with it. */
export interface HandedOver {
  readonly exchange: CapturedExchange
  readonly isCompared: boolean
  readonly isRecorded: boolean
  readonly isLookedAt: boolean
}

/** What the control plane asks of the data plane. */
export interface DataPlane {
  /** Puts decisions into effect. */
  decide(decisions: Decisions): void
  /** Corrects the shipped mappings by what MAPPING_FILE says, for new calls. Rejects if that cannot be used; then nothing changes. */
  correct(corrections: Corrections): Promise<void>
  /** Sends what the control plane has not been told yet. It has got all of that when this returns. */
  flush(): Promise<void>
  /** Returns the state of the services and of this plane. */
  state(): Promise<DataState>
  /** Returns the metrics of this plane in Prometheus' text format. @param refused how often the control plane was refused memory. */
  metrics(refused: { readonly comparison: number; readonly recording: number }): Promise<string>
  /** Takes over which clients tokens belong to. */
  learn(owners: readonly TokenOwner[]): void
  /** Keeps what the next control plane needs to know of the cut-over. */
  remember(cutover: unknown): void
  /** Writes a line of the log. */
  log(line: string): void
}

/** The state of the services behind the gateway, and of the data plane. */
export interface DataState {
  readonly isV1Well: boolean
  /** Undefined: there is no legacy service. */
  readonly isLegacyWell: boolean | undefined
  readonly why: { readonly v1: string | undefined; readonly legacy: string | undefined }
  readonly goingDown: boolean
  readonly lanes: readonly { readonly upstream: string; readonly lane: string; readonly isOpen: boolean }[]
  readonly memory: { readonly waiting: number }
  readonly controlPlane: ControlPlaneState
}

/** How often the control plane was started again. */
export interface ControlPlaneState {
  readonly restarts: number
  /** The last time, ISO 8601, and why; null: never. */
  readonly last: { readonly at: string; readonly why: string } | null
  /** Exchanges that were not judged, and calls that were not counted, because the control plane did not keep up or ended. */
  readonly lost: { readonly exchanges: number; readonly calls: number }
}

/** What the data plane asks of the control plane. */
export interface ControlPlane {
  take(batch: Batch): void
  /** Says where the legacy interface listens. */
  listensAt(address: { readonly host: string; readonly port: number; readonly isEncrypted: boolean }): void
  /** Makes a client's guide. Rejects with a StateError. */
  readonly guide: MakeGuide
  /** Answers at once, if the control plane does not hang. */
  alive(): void
  /** Closes the admin port, compares, records and stores what remains, as far as time allows. */
  close(graceMs: number): Promise<void>
}
