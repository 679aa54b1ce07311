import type { OperationUsage, WeekOfUsage } from './usage.ts'

/** A call of a client, redacted as in a recording. It is in memory only. */
export interface UsageExample {
  readonly method: string
  /** As the legacy service knows it, without a query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly language: 'tr' | 'en'
  /** JSON; undefined: there was no body. */
  readonly body: string | undefined
}

/** A client's use of an operation, with its last successful call if this process has seen it. */
export interface ClientOperation extends OperationUsage {
  readonly example: UsageExample | undefined
}

/** `GET /clients`. Shapes as in docs/clients.md. */
export interface ClientsReport {
  /** When the span begins; ISO 8601. */
  readonly since: string
  readonly clients: readonly {
    readonly client: string
    readonly calls: number
    readonly lastAt: string
    readonly firstAt: string
    readonly operations: Readonly<Record<string, ReportedUsage>>
  }[]
}

export interface ReportedUsage {
  readonly calls: number
  readonly firstAt: string
  readonly lastAt: string
  readonly errors: number
  readonly byV1: number
  readonly byLegacy: number
  /** How many calls were looked at for what follows. */
  readonly seen: number
  readonly members: Readonly<Record<string, number>>
  readonly agents: readonly string[]
}

/** Who uses what, over restarts and replicas: what is stored, and what this process has counted since. */
export interface KnownUsage {
  /** Returns the use of at most 400 days, by client and operation. Rejects with a StateError. */
  since(
    days: number,
    only?: { readonly client?: string; readonly operation?: string },
  ): Promise<readonly OperationUsage[]>
  /** Returns one client's operations, the most used first; empty: it is not known. */
  ofClient(client: string, days: number): Promise<readonly ClientOperation[]>
  /** Returns `GET /clients`: the clients that called most recently first. */
  report(days: number, operation?: string): Promise<ClientsReport>
  weeks(): Promise<readonly WeekOfUsage[]>
}
