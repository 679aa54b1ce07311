/** What can be decided or happen. The names are those of the audit and of webhooks. */
export const EVENTS = [
  'advanced',
  'approval-wanted',
  'approved',
  'paused',
  'resumed',
  'stopped',
  'braked',
  'done',
  'rollout-changed',
  'rollout-refused',
  'brownouts-ended',
  'evidence-reset',
  'new-difference',
  'legacy-used-again',
] as const

export type Event = (typeof EVENTS)[number]

/** A decision, or something that happened. It is written once and never changes. */
export interface AuditEntry {
  /** Unique, so that an entry that is written twice is stored once. */
  readonly id: string
  /** ISO 8601, by the clock of the store. */
  readonly at: string
  readonly event: Event
  /** An operation's id, or `*`. */
  readonly operation: string
  /** `auto`, or who decided it. */
  readonly by: string
  /** In words: `running at 5 %`. */
  readonly from: string
  readonly to: string
  /** For a changed rollout file, the lines that differ. */
  readonly why: string
  /** The versions that the evidence belonged to, as JSON; `{}` if they do not matter. */
  readonly lineage: string
  /** What the decision was based on, as JSON: `{ "calls": 512, "failures": 0 }`. */
  readonly counts: string
}

/** An entry before it is written. The store adds the time. */
export type NewEntry = Omit<AuditEntry, 'at'>

/** An event on its way to `WEBHOOK_URL`. */
export interface OutboxMessage {
  /** The id of the audit entry. */
  readonly id: string
  /** The order within an operation. */
  readonly number: number
  readonly operation: string
  /** The JSON to send, the same at each attempt. */
  readonly body: string
  readonly attempts: number
  /** ISO 8601. */
  readonly createdAt: string
  /** Not to be sent before this time; ISO 8601. */
  readonly dueAt: string
}
