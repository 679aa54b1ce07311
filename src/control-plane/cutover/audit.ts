import { counted } from '../../common/figures.ts'
import type { Lineage } from '../evidence/lineage.ts'
import type { Decision } from './cutover-store.ts'
import type { Move, Position, Standing } from './position.ts'

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
  'gate-waits',
  'gate-goes-on',
  'rollout-changed',
  'rollout-refused',
  'mapping-changed',
  'mapping-refused',
  'brownouts-ended',
  'evidence-reset',
  'verdict-changed',
  'difference-new',
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
  /** For a changed file, the lines that differ. */
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

/** What a step says that was taken without a verdict, before the reason in the plan. */
export const NO_VERDICT = 'no verdict is needed'

/** Why v1 was given the last clients of an operation without proof, as the audit has it. */
export interface RecordedWord {
  /** Who ordered the step; undefined: the plan said that it needs no verdict. */
  readonly by: string | undefined
  /** ISO 8601. */
  readonly at: string
  readonly why: string
}

/** The events that say how the last percentage was reached. */
const MOVES: ReadonlySet<AuditEntry['event']> = new Set(['advanced', 'stopped', 'braked'])

/**
 * Returns the word on which the last step of an operation was taken. Undefined if a verdict was the reason, if the operation was taken
 * back since, or if no step is known.
 * @param entries of the audit, about this operation, newest first.
 */
export function recordedWord(entries: readonly AuditEntry[]): RecordedWord | undefined {
  const last = entries.find(({ event }) => MOVES.has(event))
  if (last?.event !== 'advanced') return undefined
  const { by, at, why } = last
  if (by !== 'auto') return { by, at, why }
  const [, ...reason] = why.split(`${NO_VERDICT} `)
  return reason.length === 0 ? undefined : { by: undefined, at, why: reason.join('').replace(/^\((.*)\)$/s, '$1') }
}

/** Writes the counts of a decision, as `countsOf` returns them: `v1: 512 calls, 1 failure`, and any other count by its name. */
export function countsInWords(counts: Readonly<Record<string, number>>): readonly string[] {
  const { calls, failures, legacyCalls, legacyFailures, ...others } = counts
  return [
    ...sideInWords('v1', calls, failures),
    ...sideInWords('legacy', legacyCalls, legacyFailures),
    ...Object.entries(others).map(([name, count]) => `${name} ${count}`),
  ]
}

const sideInWords = (side: string, calls?: number, failures?: number): readonly string[] =>
  calls === undefined ? [] : [`${side}: ${counted(calls, 'call')}, ${counted(failures ?? 0, 'failure')}`]

/** What a decision is based on. */
export interface Facts {
  /** The versions that the evidence belongs to; undefined if there is no evidence. */
  readonly lineage: Lineage | undefined
  readonly counts: Readonly<Record<string, number>>
}

/** Returns a move in the form in which it is stored: the new position, the audit entry, and the webhook message. */
export function decisionOf(position: Position, move: Move, by: string, id: string, facts: Facts): Decision {
  const { operation } = position
  const { event, isNewStage, why } = move
  const gateWaits = isNewStage ? undefined : position.gateWaits
  const version = position.version + 1
  const stage = isNewStage ? version : position.stage
  const [from, to] = [inWords(position), inWords(move.to)]
  const text = `${operation}: ${event}, from ${from} to ${to} (${by}): ${why}`
  return {
    position: { operation, version, ...move.to, stage, by, why, gateWaits },
    isNewStage,
    entry: {
      ...{ id, event, operation, by, from, to, why },
      lineage: JSON.stringify(facts.lineage ?? {}),
      counts: JSON.stringify(facts.counts),
    },
    message: { id, event, operation, from, to, why, text },
  }
}

/**
 * Returns what the gate of a plan says, in the form in which it is stored: nothing moves, and no message is sent.
 * @param waits why it holds the next step; undefined: it holds it no longer.
 */
export function gateDecisionOf(position: Position, waits: string | undefined, id: string, facts: Facts): Decision {
  const { operation, since: _, ...at } = position
  const where = inWords(position)
  return {
    position: { ...at, operation, version: position.version + 1, gateWaits: waits },
    entry: {
      ...{
        id,
        event: waits === undefined ? 'gate-goes-on' : 'gate-waits',
        operation,
        by: 'auto',
        from: where,
        to: where,
      },
      why: `the gate ${waits ?? 'lets the plan go on'}`,
      lineage: JSON.stringify(facts.lineage ?? {}),
      counts: JSON.stringify(facts.counts),
    },
  }
}

/** Returns the counts of both sides that a decision is based on. */
export const countsOf = ({ v1, legacy }: Pick<Standing, 'v1' | 'legacy'>): Facts['counts'] => ({
  ...{ calls: v1.calls, failures: v1.failures },
  ...{ legacyCalls: legacy.calls, legacyFailures: legacy.failures },
})

/** `running at 5 %` */
const inWords = ({ state, percent }: Pick<Position, 'state' | 'percent'>): string => `${state} at ${percent} %`
