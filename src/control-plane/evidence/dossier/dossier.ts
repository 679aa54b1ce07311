import { isLoss } from '../../../common/line-basis.ts'
import type { Side } from '../../../exchange/exchange.ts'
import type { LawResult } from '../../../guide/laws/laws.ts'
import type { Operation, Route } from '../../../mapping/operation.ts'
import type { Rollout } from '../../rollout/rollout.ts'
import { whyNeverCompared } from '../comparable.ts'
import { exercisedLines, type Waiver } from '../coverage/coverage.ts'
import type { LineName } from '../coverage/lines-to-see.ts'
import { linesToSee } from '../coverage/lines-to-see.ts'
import { endOf } from '../expected/ignore-rule.ts'
import type { MappingLine } from '../expected/mapping-lines.ts'
import type { CutoverStep } from '../tally/stored-results.ts'
import type { OverallJudgement } from '../tally/verdict.ts'
import { type Caller, callersOf, countedSince, type OperationCalls } from './dossier-callers.ts'
import { type DossierFleet, type DossierReport, operationInWords } from './dossier-words.ts'
import { type Risk, risksOf } from './signing-risks.ts'

/** The evidence that a person signs for. It holds counts, paths, versions and reasons, and no values of bodies. */
export interface Dossier {
  readonly version: 1
  /** ISO 8601. */
  readonly madeAt: string
  /** The version of the gateway that made it. */
  readonly gateway: string
  /** Whether this comes from a running gateway, or only from what it has stored. */
  readonly source: 'gateway' | 'state file'
  /** Which services are behind the gateway now; null: only a running gateway knows. */
  readonly services: DossierServices | null
  /** When the results begin, ISO 8601. */
  readonly since: string
  /** When the results of other replicas were last read, if they could not be read now, ISO 8601; null: all results are current. */
  readonly asOf: string | null
  /** Who found the results, and where they are kept. */
  readonly fleet: DossierFleet
  readonly overall: OverallJudgement & { readonly kept: boolean }
  readonly operations: readonly DossierOperation[]
  /** The clients that called, the latest first, and from when on calls are known. */
  readonly callers: { readonly since: string; readonly clients: readonly Caller[] }
  /** What whoever signs accepts. */
  readonly risks: readonly Risk[]
  /** The history of the cut-over, newest first; null: the audit could not be read. */
  readonly cutover: readonly CutoverStep[] | null
}

/** Addresses without a trailing slash. They hold no credentials. */
export interface DossierServices {
  readonly v1: string
  /** Null: there is none. */
  readonly legacy: string | null
  /** The copy of v1 that writes are sent to; unset: there is none. */
  readonly copy?: string
  /** Whether both are the sandbox, whose data is made up. */
  readonly sandbox: boolean
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
  /** With `serve: "legacy"`, the share of clients that v1 answers now, by the file or by the plan. */
  readonly v1Percent: number
  /** The share of calls that are compared: 0 if they never are. */
  readonly shadow: number
  /** Why none of its calls is ever compared; null: they can be. */
  readonly neverCompared: string | null
  /** As in `GET /experiments`; null: none of its calls was seen. */
  readonly report: DossierReport | null
  /** Losses: members that v1 cannot give back, which clients will notice. */
  readonly losses: readonly Pick<MappingLine, 'part' | 'legacy' | 'reason' | 'change'>[]
  /** The rules that keep differences from counting. */
  readonly rules: Rollout['ignore']
  /** Rules whose last day has passed. */
  readonly expiredRules: Rollout['ignore']
  /** The lines that need not be seen, and who decided so. */
  readonly waived: readonly WaivedLine[]
  /** Whether the mapping keeps each law, tried with made-up values. Empty: it translates nothing. */
  readonly laws: readonly LawResult[]
}

type WaivedLine = LineName & Pick<Waiver, 'why' | 'by'>

/** A mapping with its lines and the laws that it keeps. */
export interface DossierMapping {
  readonly mapping: Operation
  readonly lines: readonly MappingLine[]
  readonly laws: readonly LawResult[]
}

interface DossierParts
  extends Pick<Dossier, 'madeAt' | 'gateway' | 'source' | 'services' | 'since' | 'asOf' | 'fleet' | 'overall'> {
  readonly mappings: readonly DossierMapping[]
  readonly reports: readonly DossierReport[]
  /** The calls of each client. `since`: the time that was asked for, ISO 8601; the first call may have come later. */
  readonly usage: { readonly since: string; readonly calls: readonly OperationCalls[] }
  readonly rollout: Rollout
  /** Returns the share of clients that v1 answers by a plan; undefined: the operation has none. */
  readonly percentOf: (operation: string) => number | undefined
  /** The audit, newest first; undefined: it could not be read. */
  readonly steps: readonly CutoverStep[] | undefined
}

/** Events that decide nothing. The reports have the verdicts and the differences. */
const NO_DECISIONS: readonly string[] = ['verdict-changed', 'difference-new', 'new-difference']

/** Puts a dossier together. */
export function dossierOf(parts: DossierParts): Dossier {
  const { mappings, reports, usage, rollout, percentOf, steps, ...others } = parts
  const madeAt = Date.parse(others.madeAt)
  const operations = mappings.map(({ mapping, lines, laws }): DossierOperation => {
    const { id, says, legacy, v1, effect } = mapping
    const report = reports.find(({ operation }) => operation === id) ?? null
    const { serve, v1Percent, shadow, shadowWrites } = rollout.of(id)
    const never = whyNeverCompared(mapping, {
      ...{ hasLegacy: others.services?.legacy !== null, isCopied: shadowWrites === 'copy' },
    })
    const isAbout = ({ operation }: { readonly operation: string }): boolean => operation === id || operation === '*'
    const waived = waivedIn(linesToSee(mapping, lines), rollout.waive.filter(isAbout))
    const about = rollout.ignore.filter(isAbout)
    const [rules, expiredRules] = [
      about.filter((rule) => endOf(rule) > madeAt),
      about.filter((rule) => endOf(rule) <= madeAt),
    ]
    return {
      ...{ operation: id, says, legacy, v1: v1 ?? null, effect },
      ...{ verdict: operationInWords(mapping, report, waived.length) },
      ...(v1 === undefined ? LEGACY_ONLY : { serve, v1Percent: percentOf(id) ?? v1Percent }),
      ...{ shadow: never === undefined ? shadow : 0, neverCompared: never ?? null, report },
      losses: lines.filter(isLoss).map(({ part, legacy, reason, change }) => ({ part, legacy, reason, change })),
      ...{ rules, expiredRules, waived, laws },
    }
  })
  const callers = { since: countedSince(usage.calls, usage.since, others.since), clients: callersOf(usage.calls) }
  return {
    version: 1,
    ...{
      ...others,
      operations,
      callers,
      risks: risksOf({ since: others.since, operations, callers, calls: usage.calls }),
    },
    cutover: steps?.filter(({ event }) => !NO_DECISIONS.includes(event)) ?? null,
  }
}

const LEGACY_ONLY = { serve: 'legacy', v1Percent: 0 } as const

const waivedIn = (toSee: Parameters<typeof exercisedLines>[0], waivers: readonly Waiver[]): readonly WaivedLine[] =>
  exercisedLines(toSee, new Map(), waivers).flatMap(({ part, legacy, waived }) =>
    waived === null ? [] : [{ part, legacy, ...waived }],
  )
