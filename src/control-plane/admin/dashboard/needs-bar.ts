import { html, raw } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { joined } from './fragments.ts'
import type { Need, OperationStage } from './operation-stages.ts'
import { idOf } from './plan-table.ts'

/** What each part of the bar is called: of one operation, and of several. */
const CALLED: readonly (readonly [need: Need, singular: string, plural: string])[] = [
  ['differs', 'differs', 'differ'],
  ['traffic', 'needs traffic', 'need traffic'],
  ['decision', 'needs a decision', 'need a decision'],
  ['none', 'has no equivalent', 'have no equivalent'],
  ['word', 'on a person’s word', 'on a person’s word'],
  ['proven', 'proven', 'proven'],
]

/** Renders how many operations need what, as one bar, and as numbers above the names of these operations: `6 differ`, `0 proven`. */
export function needsBar(stages: readonly OperationStage[]): Html {
  const parts = CALLED.map(([need, singular, plural]) => {
    const of = stages.filter((stage) => stage.need === need)
    return { need, of, says: of.length === 1 ? singular : plural }
  })
  let from = 0
  const bars = parts.map(({ need, of }) => {
    const bar = `<rect class="need-${need}" x="${from}" width="${of.length}" height="1"/>`
    from += of.length
    return of.length === 0 ? '' : bar
  })
  return html`<svg class="needs-bar" aria-hidden="true" viewBox="0 0 ${stages.length} 1" preserveAspectRatio="none">${raw(bars.join(''))}</svg>
<ul class="needs" aria-label="Operations by what they need">${parts.flatMap(({ need, of, says }) =>
    of.length === 0 && need !== 'proven'
      ? []
      : [html`<li class="need-${need}"><strong>${count(of.length)}</strong> ${says}${namesOf(of)}</li>`],
  )}</ul>`
}

/** Renders links to the rows of operations: they say what each waits for. */
const namesOf = (stages: readonly OperationStage[]): Html | '' =>
  stages.length === 0
    ? ''
    : html`<small class="needing">${joined(
        stages.map(({ operation }) => html`<a href="#${idOf(operation)}">${operation}</a>`),
        ', ',
      )}</small>`

/**
 * Says how many operations no longer need the legacy service, and what the others wait for that no part of the bar tells:
 * `2 of 14 operations can be switched off, 1 of them on a person’s word; 3 are proven, but not yet moved to v1;
 * 1 is proven and on the way; 1 is stopped.`
 */
export function switchedOffInWords(stages: readonly OperationStage[]): string {
  const countOf = (is: (stage: OperationStage) => boolean): number => stages.filter(is).length
  const done = countOf(({ standing }) => standing === 'done')
  const word = countOf(({ standing, need }) => standing === 'done' && need === 'word')
  const isUnmoved = ({ standing, need }: OperationStage): boolean => standing === 'waits' && need === 'proven'
  const unmoved = countOf((stage) => isUnmoved(stage) && stage.percent === 0)
  const moving = countOf((stage) => isUnmoved(stage) && stage.percent > 0)
  const stopped = countOf(({ standing }) => standing === 'stopped')
  const all = stages.length === 1 ? 'operation' : 'operations'
  const how = `can be switched off${word === 0 ? '' : `, ${count(word)} of them on a person’s word`}`
  const facts = [
    done === stages.length
      ? `All ${count(done)} ${all} ${how}`
      : `${count(done)} of ${count(stages.length)} ${all} ${how}`,
    ...(unmoved === 0 ? [] : [`${counted(unmoved, 'is', 'are')} proven, but not yet moved to v1`]),
    ...(moving === 0 ? [] : [`${counted(moving, 'is', 'are')} proven and on the way`]),
    ...(stopped === 0 ? [] : [counted(stopped, 'is stopped', 'are stopped')]),
  ]
  return `${facts.join('; ')}.`
}
