import type { Side } from '../../exchange/exchange.ts'
import type { Operation, Route } from '../../mapping/operation.ts'
import type { MappingLine } from '../expected/mapping-lines.ts'
import type { Rollout } from '../rollout/rollout.ts'
import type { OverallJudgement } from '../tally/overall.ts'
import type { CutoverStep } from '../tally/stored-steps.ts'
import { type DossierFleet, type DossierReport, operationInWords } from './dossier-words.ts'

/** The evidence that a person signs for. It holds counts, paths, versions and reasons, and no values of bodies. */
export interface Dossier {
  readonly version: 1
  /** ISO 8601. */
  readonly madeAt: string
  /** The version of the gateway that made it. */
  readonly gateway: string
  /** Whether this comes from a running gateway, or only from what it has stored. */
  readonly source: 'gateway' | 'state file'
  /** When the results begin, ISO 8601. */
  readonly since: string
  /** Who found the results, and where they are kept. */
  readonly fleet: DossierFleet
  readonly overall: OverallJudgement & { readonly kept: boolean }
  readonly operations: readonly DossierOperation[]
  /** The clients that called since a time, the latest first; null: it comes from a file in which nothing is stored about them. */
  readonly callers: { readonly since: string; readonly clients: readonly Caller[] } | null
  /** The history of the cut-over, newest first; null: the audit could not be read. */
  readonly cutover: readonly CutoverStep[] | null
}

export interface DossierOperation {
  readonly operation: string
  /** The mapping's description. */
  readonly says: string
  readonly legacy: Route
  /** Null: v1 has no equivalent. */
  readonly v1: Route | null
  readonly effect: Operation['effect']
  /** The verdict in words. */
  readonly verdict: string
  readonly serve: Side
  readonly v1Percent: number
  /** The share of calls that are compared. */
  readonly shadow: number
  /** As in `GET /experiments`; null: none of its calls was seen. */
  readonly report: DossierReport | null
  /** Losses: members that v1 cannot give back, which clients will notice. */
  readonly losses: readonly Pick<MappingLine, 'part' | 'legacy' | 'reason'>[]
  /** The rules that keep differences from counting. */
  readonly rules: Rollout['ignore']
}

/** A client, with its calls by the side that answered. */
export interface Caller {
  readonly client: string
  readonly byV1: number
  readonly byLegacy: number
  readonly operations: readonly string[]
  /** ISO 8601. */
  readonly lastAt: string
}

/** One client's calls of one operation. */
export interface ClientCalls extends Pick<Caller, 'client' | 'byV1' | 'byLegacy'> {
  readonly operation: string
  /** Milliseconds since the epoch. */
  readonly lastAt: number
}

export interface DossierParts extends Pick<Dossier, 'madeAt' | 'gateway' | 'source' | 'since' | 'fleet' | 'overall'> {
  readonly mappings: readonly { readonly mapping: Operation; readonly lines: readonly MappingLine[] }[]
  readonly reports: readonly DossierReport[]
  readonly rollout: Rollout
  readonly traffic: { readonly since: number; readonly totals: readonly ClientCalls[] } | undefined
  /** The audit, newest first; undefined: it could not be read. */
  readonly steps: readonly CutoverStep[] | undefined
}

/** An event that decides nothing. The reports list the differences. */
const NO_DECISION = 'new-difference'

/** Puts a dossier together. */
export function dossierOf({ mappings, reports, rollout, traffic, steps, ...others }: DossierParts): Dossier {
  return {
    version: 1,
    ...others,
    operations: mappings.map(({ mapping, lines }) => {
      const { id, says, legacy, v1, effect } = mapping
      const report = reports.find(({ operation }) => operation === id) ?? null
      const { serve, v1Percent, shadow } = rollout.of(id)
      return {
        ...{ operation: id, says, legacy, v1: v1 ?? null, effect, verdict: operationInWords(mapping, report) },
        ...{ serve: v1 === undefined ? 'legacy' : serve, v1Percent, shadow, report },
        losses: lines
          .filter(({ basis }) => basis === 'lost')
          .map(({ part, legacy, reason }) => ({ part, legacy, reason })),
        rules: rollout.ignore.filter(({ operation }) => operation === id || operation === '*'),
      }
    }),
    callers: traffic === undefined ? null : callersOf(traffic),
    cutover: steps?.filter(({ event }) => event !== NO_DECISION) ?? null,
  }
}

function callersOf({ since, totals }: NonNullable<DossierParts['traffic']>): Dossier['callers'] {
  const clients = [...Map.groupBy(totals, ({ client }) => client)].map(([client, rows]) => ({
    client,
    byV1: rows.reduce((sum, { byV1 }) => sum + byV1, 0),
    byLegacy: rows.reduce((sum, { byLegacy }) => sum + byLegacy, 0),
    operations: rows.map(({ operation }) => operation).sort(),
    lastAt: new Date(Math.max(...rows.map(({ lastAt }) => lastAt))).toISOString(),
  }))
  return {
    since: new Date(since).toISOString(),
    clients: clients.sort((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0)),
  }
}
