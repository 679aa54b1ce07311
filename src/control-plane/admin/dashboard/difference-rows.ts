import { html } from 'hono/html'
import { count, counted, distinctInWords, percentAtMost } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import { type Column, joined, place, table, time } from './fragments.ts'
import type { ExperimentDifference } from './sources.ts'
import { word } from './words-page.ts'

interface Row {
  readonly difference: ExperimentDifference
  /** From 1, among those of the table. */
  readonly number: number
}

/** The address of a difference in its page: exchanges lead to it. */
export const anchorOf = (number: number): string => `difference-${number}`

/**
 * Renders differences, each with its rate, what would excuse it and whether it is a declared loss, in one sentence; the rest is folded.
 * @param compared the number of compared calls.
 */
export function differenceTable(
  id: string,
  caption: string,
  differences: readonly ExperimentDifference[],
  { operation, compared }: { readonly operation: string; readonly compared: number },
): Html {
  const isCounting = id === 'counting'
  const columns: readonly Column<Row>[] = [
    { head: 'Legacy path', cell: ({ difference, number }) => nameCell(difference, isCounting ? number : undefined) },
    { head: 'v1 path', cell: ({ difference }) => v1PlaceOf(difference) },
    {
      head: 'Rate, rule and loss',
      kind: 'text',
      cell: ({ difference }) => html`${sentenceOf(difference, compared)}${more(operation, difference)}`,
    },
    { head: 'Last seen', cell: ({ difference }) => time(difference.until) },
  ]
  return table({
    ...{ id, caption, columns },
    rows: differences.map((difference, index) => ({ difference, number: index + 1 })),
  })
}

function nameCell(difference: ExperimentDifference, number: number | undefined): Html {
  const { kind, path, from } = difference
  const name = html`${place(path, wholeOf(difference))} <small>${kind}${from === undefined ? '' : `, ${from}`}</small>${details(difference)}`
  return number === undefined ? name : html`<span id="${anchorOf(number)}">${name}</span>`
}

/** Names what differs where a path does not say so. */
export function wholeOf({ kind, from }: Pick<ExperimentDifference, 'kind' | 'from'>): string {
  if (kind === 'dropped') return 'all further names'
  if (kind === 'status') return 'the status'
  if (kind !== 'failure') return 'the whole body'
  return from === 'round trip' ? NO_RETURN : FAILED
}

/** Where v1 failed, legacy has answered: without that, nothing is compared. */
const FAILED = 'no usable answer of v1'
/** Of the round trip of legacy's answer, for which v1 is not asked. */
const NO_RETURN = 'no way back of legacy’s answer'

/** `data[].priceTry changed` */
export function differenceInWords(difference: Pick<ExperimentDifference, 'kind' | 'path' | 'from'>): string {
  const { kind, path } = difference
  const name = path === '' ? wholeOf(difference) : path
  return kind === 'failure' ? name : `${name} ${kind === 'status' ? 'differs' : kind}`
}

/** Renders how often each change occurs: `400 → 406 × 3`. */
function details({ details: all }: ExperimentDifference): Html | '' {
  if (all === null) return ''
  return html`<ul class="plain">${Object.entries(all).map(([detail, times]) => html`<li>${detail} <small>× ${count(times)}</small></li>`)}</ul>`
}

/** Renders where v1 has the value. Where it lacks it, but a mapping line says where it should be, that says so. */
const v1PlaceOf = ({ kind, path, v1Path }: ExperimentDifference): Html | string =>
  kind === 'missing' && v1Path !== null && !path.endsWith('[]')
    ? html`<span class="quiet">not there: <code>${v1Path}</code></span>`
    : place(v1Path)

/** `In 3 of 1,269 compared calls (0.24 %), from 2 clients; no loss is declared, and the narrowest rule would excuse 2 of them.` */
export function sentenceOf(difference: ExperimentDifference, compared: number): string {
  const { ignored } = difference
  const rate = `In ${rateOf(difference, compared)}, from ${distinctInWords(difference.clients, 'client')}`
  return ignored === null
    ? `${rate}; ${isOfV1(difference) ? REPAIR : lossOf(difference)}${ruleOf(difference)}.`
    : `${rate}; excused: ${reasonOf(ignored)}.`
}

/** Checked writes are not compared, so they have no rate. */
function rateOf({ requests, kind, from }: ExperimentDifference, compared: number): string {
  if (from !== undefined || kind === 'dropped' || requests > compared) return counted(requests, 'call')
  return `${count(requests)} of ${counted(compared, 'compared call')} (${percentAtMost(requests / compared)})`
}

/** A rule for it would excuse an outage. */
const REPAIR = 'legacy answered: v1 has to be repaired, or its mapping'

const isOfV1 = ({ kind, from }: ExperimentDifference): boolean => kind === 'failure' && from === undefined

const lossOf = ({ mapping }: ExperimentDifference): string =>
  mapping?.change === 'lost' ? 'the declared loss does not cover it' : 'no loss is declared'

function ruleOf({ requests, excusing }: ExperimentDifference): string {
  if (excusing === null) return ''
  const { rules, requests: alone } = excusing
  if (rules.length === 0) return ', and no rule excuses exactly this and nothing else'
  const excused =
    alone === 0 ? 'none of them' : alone < requests ? `${count(alone)} of them` : requests === 1 ? 'it' : 'all of them'
  return `, and the narrowest rule would excuse ${excused}`
}

const KINDS_OF_REASONS = [
  ['loss: ', 'a declared loss: '],
  ['widening: ', 'a declared widening: '],
  ['rule: ', 'an ignore rule: '],
] as const

const REASONS: Readonly<Record<string, string>> = {
  drift: 'drift, the data changed between two answers',
  wording: 'the wording of an error',
  'number form': 'equal numbers in another form',
}

function reasonOf(ignored: string): string {
  const [begin, says] = KINDS_OF_REASONS.find(([begin]) => ignored.startsWith(begin)) ?? ['', '']
  return begin === '' ? (REASONS[ignored] ?? ignored) : `${says}${ignored.slice(begin.length)}`
}

/** Renders its places and times, its mapping line, who shows it and the rules to copy. */
function more(operation: string, difference: ExperimentDifference): Html {
  const { count: places, drift, since, excusing: offer } = difference
  const facts = [
    html`${count(places)} ${word('place', places === 1 ? 'place' : 'places')}`,
    ...(drift === null || drift === 0 ? [] : [html`${word('drift')} in ${counted(drift, 'call')}`]),
    ...(since === null ? [] : [html`first seen ${time(since)}`]),
  ]
  return html`<details><summary>${(offer?.rules.length ?? 0) > 0 ? 'Rule and circumstances' : 'Circumstances'}</summary>
<p>${joined(facts)}.</p>
${mappingLine(operation, difference)}
${shownBy(difference)}
${excusing(difference)}</details>`
}

function mappingLine(operation: string, { mapping }: ExperimentDifference): Html | '' {
  if (mapping === null) return ''
  const { legacy, v1, change, reason } = mapping
  return html`<p>Its line in the <a href="/mappings/${encodeURIComponent(operation)}">mapping</a>: ${place(legacy)}, in v1 ${place(v1)}: ${change}.${reason === null ? '' : ` ${reason}`}</p>`
}

/** Renders who shows it, and what their requests have in common. What is common need not be the cause. */
function shownBy({ shownBy }: ExperimentDifference): Html | '' {
  const says = shownBy.flatMap((change) => change.says)
  return says.length === 0 ? '' : html`<ul class="shown-by">${says.map((text) => html`<li>${text}.</li>`)}</ul>`
}

/** Renders the rules to copy into the rollout file and what they would do, or why there are none. */
function excusing({ excusing }: ExperimentDifference): Html | '' {
  if (excusing === null) return ''
  const { rules, requests, without = [] } = excusing
  if (rules.length === 0) {
    return without.length === 0 ? '' : html`<p>No rule excuses exactly this and nothing else. ${without.join(' ')}</p>`
  }
  return html`<p>The narrowest rule for it would excuse ${counted(requests, 'call')}: ${requests === 0 ? 'every call that shows this difference also differs elsewhere' : 'these show no other difference that counts'}. To ignore it, add this to <code>ignore</code> in the rollout file, and say why.</p>
<pre>${rules.map((rule) => JSON.stringify(rule)).join(',\n')}</pre>
${without.length === 0 ? '' : html`<p>Some of its changes have no rule that excuses nothing else. ${without.join(' ')}</p>`}`
}
