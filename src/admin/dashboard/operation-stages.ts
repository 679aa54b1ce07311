import type { CutoverReport } from '../../cutover/report.ts'
import { count } from '../../look/figures.ts'
import type { Experiment } from './experiment-sources.ts'
import type { ReferenceOperation, RolloutView } from './sources.ts'

/** How far an operation has moved from the legacy service to v1. */
export interface OperationStage {
  readonly operation: string
  /** `done`: this operation no longer needs the legacy service. `none`: v1 has no equivalent. */
  readonly standing: 'stopped' | 'waits' | 'none' | 'done'
  /** Undefined if it has no plan. */
  readonly plan: CutoverReport | undefined
  readonly isCompared: boolean
  readonly proof: 'open' | 'proven' | 'refuted'
  /** The percentage of clients that v1 answers now. */
  readonly percent: number
  /** What the proof leaves open, in words: lines never seen, and what v1 never gets. Empty: nothing, or it is not proven. */
  readonly leftOpen: string
  /** What it waits for, in words; empty if nothing. */
  readonly waitsFor: readonly string[]
}

interface Facts {
  readonly reference: readonly Pick<ReferenceOperation, 'id' | 'v1'>[]
  readonly experiments: readonly Experiment[]
  readonly rollout: RolloutView['operations']
  readonly plans: readonly CutoverReport[]
}

/** Returns how far each operation is, starting with those that need an operator. */
export function operationStages({ reference, experiments, rollout, plans }: Facts): readonly OperationStage[] {
  const stages = reference.map(({ id, v1 }) =>
    stageOf(
      id,
      v1 !== undefined,
      plans.find(({ operation }) => operation === id),
      experiments.find(({ operation }) => operation === id),
      rollout.find(({ operation }) => operation === id),
    ),
  )
  return stages.sort((a, b) => urgency(a) - urgency(b))
}

/** The states of plans that need an operator. */
const URGENT = ['stopped', 'awaiting approval', 'paused']

function urgency({ standing, plan, proof }: OperationStage): number {
  const ofState = URGENT.indexOf(plan?.state ?? '')
  if (ofState !== -1) return ofState
  if (proof === 'refuted') return URGENT.length
  return URGENT.length + ['waits', 'none', 'done'].indexOf(standing) + 1
}

function stageOf(
  operation: string,
  hasV1: boolean,
  plan: CutoverReport | undefined,
  experiment: Experiment | undefined,
  row: RolloutView['operations'][number] | undefined,
): OperationStage {
  const proof = proofOf(experiment)
  const isCompared = experiment !== undefined && comparedOf(experiment) > 0
  const percent = !hasV1 ? 0 : (plan?.percent ?? (row?.serve === 'v1' ? 100 : (row?.v1Percent ?? 0)))
  const leftOpen = experiment?.verdict === 'ready' ? experiment.says.slice('ready; '.length) : ''
  const stage = { operation, plan, isCompared, proof, leftOpen, percent: plan?.state === 'stopped' ? 0 : percent }
  if (!hasV1) return { ...stage, standing: 'none', waitsFor: [NO_EQUIVALENT] }
  if (plan?.state === 'stopped') return { ...stage, standing: 'stopped', waitsFor: [plan.why] }
  const isOver = percent === 100 && (plan === undefined || plan.state === 'done')
  const keptBack = Object.entries(row?.clients ?? {}).flatMap(([client, side]) => (side === 'legacy' ? [client] : []))
  const waitsFor = [
    ...(isOver ? [] : [plan?.why ?? withoutPlan(experiment, row?.neverCompared)]),
    ...(isOver && proof === 'refuted' ? [`v1 answers differently from legacy: ${differing(experiment)}`] : []),
    ...(percent === 100 && keptBack.length > 0 ? [`the rollout file keeps ${keptBack.join(', ')} on legacy`] : []),
  ]
  return { ...stage, standing: waitsFor.length === 0 ? 'done' : 'waits', waitsFor }
}

const NO_EQUIVALENT = 'v1 has no equivalent: only the legacy service can answer it, and without that service it fails'

const comparedOf = ({ totals }: Experiment): number => totals.matched + totals.ignored + totals.mismatched

function proofOf(experiment: Experiment | undefined): OperationStage['proof'] {
  if (experiment?.verdict === 'ready') return 'proven'
  return experiment?.verdict === 'not ready' ? 'refuted' : 'open'
}

/** Says what an operation without a plan waits for. */
function withoutPlan(experiment: Experiment | undefined, never: string | undefined): string {
  if (experiment?.verdict === 'not ready') return differing(experiment)
  if (never !== undefined) {
    return `${never} is never compared: in the rollout file, give it a plan with withoutVerdict, or set serve to v1`
  }
  if (experiment === undefined) return 'none of its calls has been compared yet'
  const { verdict, missing, needed } = experiment
  if (verdict === 'ready') return 'it is proven: in the rollout file, give it a plan, or set serve to v1'
  if (missing.length > 0) return `not proven yet: ${missing.join(', ')}`
  return needed > 0 ? `not proven yet: ${count(needed)} more units` : 'not proven yet: too many calls differ'
}

function differing(experiment: Experiment | undefined): string {
  const differences = experiment?.differences.filter(({ ignored }) => ignored === null).length ?? 0
  return differences === 1 ? '1 difference counts' : `${count(differences)} differences count`
}

/** Says in a sentence how far all operations are: `11 of 14 operations can be switched off; 2 wait, 1 is stopped.` */
export function inOneSentence(stages: readonly OperationStage[]): string {
  const of = (standing: OperationStage['standing']): number =>
    stages.filter((stage) => stage.standing === standing).length
  const [done, waits, stopped, none] = [of('done'), of('waits'), of('stopped'), of('none')]
  const others = [
    ...(waits === 0 ? [] : [waits === 1 ? '1 waits' : `${waits} wait`]),
    ...(stopped === 0 ? [] : [stopped === 1 ? '1 is stopped' : `${stopped} are stopped`]),
    ...(none === 0 ? [] : [none === 1 ? '1 has no equivalent in v1' : `${none} have no equivalent in v1`]),
  ]
  const all = stages.length === 1 ? 'operation' : 'operations'
  return others.length === 0
    ? `All ${count(done)} ${all} can be switched off.`
    : `${count(done)} of ${count(stages.length)} ${all} can be switched off; ${others.join(', ')}.`
}
