import { html } from 'hono/html'
import { chosenPercent } from '../../common/figures.ts'
import type { Html } from './layout.ts'
import type { OperationStage } from './operation-stages.ts'

/** `now`: under way. */
type Mark = 'passed' | 'now' | 'bad' | 'open'

const SIGNS: Readonly<Record<Mark, string>> = { passed: '✓', now: '◐', bad: '✗', open: '○' }

/** Renders how far an operation is: compared, proven, cut over, done. Each stage says in words whether it is reached. */
export function stageBar(stage: OperationStage): Html {
  const { isCompared, proof, percent: share, standing, plan, ground } = stage
  const isStopped = standing === 'stopped'
  const compared = isCompared ? step('passed', 'compared') : step('open', 'not compared')
  const proven = {
    proven: step('passed', 'proven'),
    refuted: step('bad', 'differs'),
    open: step('open', 'not proven'),
  }[proof]
  const onV1 = `${chosenPercent(share / 100)} on v1`
  const cutOver = isStopped ? step('bad', 'stopped') : step(share === 100 ? 'passed' : share > 0 ? 'now' : 'open', onV1)
  const isDone = standing === 'done'
  const onWord = ground?.kind === 'word' ? ' on a person’s word' : ''
  const done = step(isDone ? 'passed' : 'open', isDone ? `done${onWord}` : 'not done')
  return html`<ol class="stages">${[compared, proven, cutOver, done]}</ol>${plan === undefined ? '' : html`<small>${stateOf(plan)}</small>`}`
}

const step = (mark: Mark, says: string): Html =>
  html`<li class="${mark}"><span aria-hidden="true">${SIGNS[mark]} </span>${says}</li>`

const stateOf = ({ state, step: taken, steps }: NonNullable<OperationStage['plan']>): string =>
  `${state}, step ${taken} of ${steps.length}`
