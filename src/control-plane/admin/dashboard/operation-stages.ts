import { count, counted, listedUpTo } from '../../../common/figures.ts'
import { dayOf } from '../../../common/time.ts'
import type { RecordedWord } from '../../cutover/audit.ts'
import type { CutoverReport } from '../../cutover/cutover.ts'
import { ONLY_WITH_A_COPY } from '../../evidence/comparable.ts'
import { proposedInWords } from '../../evidence/proposals/proposal-words.ts'
import type { OperationProposals, ProposalsReport } from '../../evidence/proposals/proposals.ts'
import { comparedOf } from '../../evidence/report/report-words.ts'
import { isProven } from '../../evidence/tally/verdict.ts'
import { isOnlyChecked, writesInWords } from '../../evidence/writes/dropped-members.ts'
import { differenceInWords } from './difference-rows.ts'
import type { Experiment, ReferenceOperation, RolloutView } from './sources.ts'
import { countingIn, countingInWords } from './verdict-sentence.ts'

/** The way of an operation from the legacy service to v1, and how far it has come. */
export interface OperationStage {
  readonly operation: string
  readonly isLogin: boolean
  /** `done`: this operation no longer needs the legacy service, for which there is a ground. `none`: v1 has no equivalent. */
  readonly standing: 'stopped' | 'waits' | 'none' | 'done'
  readonly need: Need
  /** Why v1 may answer all its clients; undefined: no verdict says so, and nobody. */
  readonly ground: Ground | undefined
  /** Undefined if it has no plan. */
  readonly plan: CutoverReport | undefined
  readonly isCompared: boolean
  /** What became of its writes on their way to v1, in words; see `writesInWords`. */
  readonly writes: string
  readonly proof: 'open' | 'proven' | 'refuted'
  /** The percentage of clients that v1 answers now. */
  readonly percent: number
  /** What the proof leaves open, in words: lines never seen, and what v1 never gets. Empty: nothing, or it is not proven. */
  readonly leftOpen: string
  /** When the newest difference that counts was first seen, ISO 8601; undefined: none counts, or that is not known. */
  readonly differsSince: string | undefined
  /** What it waits for, in words; empty if nothing. */
  readonly waitsFor: readonly string[]
}

/**
 * What an operation needs to be proven. `differs`: that what counts is corrected or excused. `traffic`: more compared calls. `decision`: someone
 * who decides, because no call proves it, or none is compared, or its plan waits for an order. `none`: v1 has no equivalent. `word`: nothing,
 * because a person has said that it may go without proof. `proven`: nothing, see `isProven`.
 */
export type Need = 'differs' | 'traffic' | 'decision' | 'none' | 'word' | 'proven'

/** `proven`: the verdict is `ready`. Otherwise a person's word: the plan's reason to do without a verdict, or an order. */
type Ground = { readonly kind: 'proven' } | ({ readonly kind: 'word' } & Partial<RecordedWord>)

interface Facts {
  readonly reference: readonly Pick<ReferenceOperation, 'id' | 'v1' | 'login'>[]
  readonly experiments: readonly Experiment[]
  readonly rollout: RolloutView['operations']
  readonly plans: readonly CutoverReport[]
  readonly proposals: ProposalsReport
  /** Whether there is a legacy service to compare with. */
  readonly hasLegacy: boolean
  /** The words on which operations were given to v1 without proof, as the audit has them; `away`: it cannot be read. */
  readonly words?: ReadonlyMap<string, RecordedWord> | 'away'
}

/** Returns how far each operation is, starting with those that need an operator. */
export function operationStages(facts: Facts): readonly OperationStage[] {
  const { reference, experiments, rollout, plans, proposals, hasLegacy, words } = facts
  const stages = reference.map(({ id, v1, login }) =>
    stageOf(id, {
      ...{ hasV1: v1 !== undefined, isLogin: login !== undefined },
      plan: plans.find(({ operation }) => operation === id),
      experiment: experiments.find(({ operation }) => operation === id),
      row: rollout.find(({ operation }) => operation === id),
      word: words === 'away' ? words : words?.get(id),
      proposed: proposals.operations.find(({ operation }) => operation === id),
      hasLegacy,
    }),
  )
  return stages.sort((a, b) => urgency(a) - urgency(b) || newestFirst(a, b))
}

/** What has begun to differ comes before what differed already. */
const newestFirst = ({ differsSince: a = '' }: OperationStage, { differsSince: b = '' }: OperationStage): number =>
  b.localeCompare(a)

/** The states of plans that need an operator. */
const URGENT = ['stopped', 'awaiting approval', 'paused']

/** What needs a person comes before what only needs time. */
const IN_ORDER: readonly (Need | 'to move')[] = ['differs', 'decision', 'to move', 'traffic', 'none', 'proven', 'word']

/** A login needs nobody unless it differs: its calls are compared as they come. */
function urgency({ standing, plan, need, isLogin }: OperationStage): number {
  const ofState = URGENT.indexOf(plan?.state ?? '')
  if (ofState !== -1) return ofState
  const last = URGENT.length + IN_ORDER.length
  if (standing === 'done') return last + 1
  // Someone must give it a plan.
  const next = need === 'proven' && plan === undefined ? 'to move' : need
  return isLogin && need !== 'differs' ? last : URGENT.length + IN_ORDER.indexOf(next)
}

interface OperationFacts {
  readonly hasV1: boolean
  readonly isLogin: boolean
  readonly plan: CutoverReport | undefined
  readonly experiment: Experiment | undefined
  readonly row: RolloutView['operations'][number] | undefined
  readonly word: RecordedWord | 'away' | undefined
  readonly proposed: OperationProposals | undefined
  readonly hasLegacy: boolean
}

function stageOf(operation: string, facts: OperationFacts): OperationStage {
  const { hasV1, plan, experiment, row } = facts
  const proof = proofOf(experiment)
  const isCompared = experiment !== undefined && comparedOf(experiment) > 0 && !isOnlyChecked(experiment)
  const writes = experiment === undefined ? '' : writesInWords(experiment)
  const percent = !hasV1 ? 0 : (plan?.percent ?? (row?.serve === 'v1' ? 100 : (row?.v1Percent ?? 0)))
  const leftOpen = isProven(experiment) ? (experiment?.says ?? '').slice('ready; '.length) : ''
  const ground = groundOf(proof, facts)
  const stage = {
    ...{ operation, plan, isCompared, writes, proof, leftOpen, ground },
    ...{ isLogin: facts.isLogin, need: needOf(proof, ground, facts) },
    differsSince: latestOf(experiment, 'since'),
    percent: plan?.state === 'stopped' ? 0 : percent,
  }
  if (!hasV1) return { ...stage, standing: 'none', waitsFor: [NO_EQUIVALENT] }
  if (plan?.state === 'stopped') return { ...stage, standing: 'stopped', waitsFor: [plan.why] }
  const isOver = percent === 100 && (plan === undefined || plan.state === 'done')
  const keptBack = Object.entries(row?.clients ?? {}).flatMap(([client, side]) => (side === 'legacy' ? [client] : []))
  const differing = experiment?.verdict === 'not ready' ? differingInWords(experiment) : undefined
  const waitsFor = [
    ...(isOver ? [] : [plan?.why ?? withoutPlan(facts)]),
    ...(isOver && differing !== undefined ? [`v1 answers differently from legacy: ${differing}`] : []),
    ...(!isOver && plan !== undefined && differing !== undefined ? [differing] : []),
    ...(proof === 'refuted' ? proposedInWords(facts.proposed) : []),
    ...(isOver && proof === 'open' && ground === undefined ? [`v1 answers all clients, but ${unfounded(facts)}`] : []),
    ...(percent === 100 && (row?.mayChoose ?? []).length > 0 ? ['the rollout file lets clients choose legacy'] : []),
    ...(percent === 100 && keptBack.length > 0 ? [`the rollout file keeps ${keptBack.join(', ')} on legacy`] : []),
  ]
  return { ...stage, standing: waitsFor.length === 0 ? 'done' : 'waits', waitsFor }
}

const NO_EQUIVALENT = 'v1 has no equivalent: only the legacy service can answer it, and without that service it fails'

function proofOf(experiment: Experiment | undefined): OperationStage['proof'] {
  if (isProven(experiment)) return 'proven'
  return experiment?.verdict === 'not ready' ? 'refuted' : 'open'
}

function groundOf(proof: OperationStage['proof'], { row, word }: OperationFacts): Ground | undefined {
  if (proof !== 'open') return proof === 'proven' ? { kind: 'proven' } : undefined
  const why = row?.plan?.withoutVerdict
  if (why !== undefined) return { kind: 'word', why }
  return word === undefined || word === 'away' ? undefined : { kind: 'word', ...word }
}

function needOf(
  proof: OperationStage['proof'],
  ground: Ground | undefined,
  { hasV1, plan, isLogin, row, hasLegacy }: OperationFacts,
): Need {
  if (!hasV1) return 'none'
  if (proof !== 'open') return proof === 'proven' ? 'proven' : 'differs'
  if (URGENT.includes(plan?.state ?? '')) return 'decision'
  if (ground !== undefined) return 'word'
  const isCompared = hasLegacy && row?.neverCompared === undefined && (isLogin || (row?.shadow ?? 0) > 0)
  return isCompared ? 'traffic' : 'decision'
}

/** Says what an operation without a plan waits for. */
function withoutPlan({ experiment, row }: OperationFacts): string {
  if (experiment?.verdict === 'not ready') return differingInWords(experiment)
  if (row?.neverCompared !== undefined) {
    return `${notProvenBy(experiment, row.neverCompared)}; otherwise a plan must say why it may go unproven (withoutVerdict)`
  }
  if (isProven(experiment)) {
    return 'proven: in the rollout file, give it a plan, or "serve": "v1", with which v1 answers all clients at once'
  }
  return unproven(experiment, row)
}

/** Says why no call proves an operation, and what would. */
function notProvenBy(experiment: Experiment | undefined, what: string): string {
  if (what !== 'a write') return `${what} is never compared`
  return experiment !== undefined && isOnlyChecked(experiment)
    ? `its calls are only checked, which proves nothing about v1; ${ONLY_WITH_A_COPY}`
    : ONLY_WITH_A_COPY
}

/** Says what the verdict still lacks. */
function unproven(experiment: Experiment | undefined, row: OperationFacts['row']): string {
  if (experiment === undefined || comparedOf(experiment) === 0) {
    const none = 'none of its calls has been compared yet'
    return row?.shadow === 0 ? `${none}: ${TO_COMPARE}` : none
  }
  const { missing, needed } = experiment
  if (missing.length > 0) return `not proven yet: ${missing.join(', ')}`
  return needed > 0 ? `not proven yet: ${count(needed)} more units` : 'not proven yet: too many calls differ'
}

const TO_COMPARE = 'in the rollout file, give it "shadow": 1, which does not change who answers'

/** Says what is missing where v1 answers all clients, but no verdict and nobody says that it may. */
function unfounded({ experiment, row, hasLegacy, word }: OperationFacts): string {
  if (word === 'away') return 'it is not proven, and the audit, which may say who ordered it, cannot be read now'
  if (row?.neverCompared !== undefined) {
    return `${notProvenBy(experiment, row.neverCompared)}; nobody has said why it may go unproven: neither a plan (withoutVerdict) nor an order to advance`
  }
  const lacking = unproven(experiment, hasLegacy ? row : undefined)
  return hasLegacy ? lacking : `${lacking}; without a legacy service, nothing can be compared`
}

/** When the newest difference that counts was first seen, or the last time that any was; undefined: none counts, or that is not known. */
const latestOf = (experiment: Experiment | undefined, time: 'since' | 'until'): string | undefined =>
  (experiment === undefined ? [] : countingIn(experiment))
    .flatMap((difference) => difference[time] ?? [])
    .sort()
    .at(-1)

/** The most differences that are named. */
const MOST_NAMED = 3

/** `1 difference counts, last seen on 2025-03-04: data[].priceTry changed in 3 calls` */
function differingInWords(experiment: Experiment): string {
  const last = latestOf(experiment, 'until')
  const says = `${countingInWords(experiment)}${last === undefined ? '' : `, last seen on ${dayOf(last)}`}`
  const named = listedUpTo(
    MOST_NAMED,
    countingIn(experiment).map((one) => `${differenceInWords(one)} in ${counted(one.requests, 'call')}`),
  )
  return named === '' ? says : `${says}: ${named}`
}
