import { html } from 'hono/html'
import type { Html } from '../../../common/tables.ts'
import type { Page } from './layout.ts'

/** The terms of the pages, in alphabetical order, each with its meaning. The only place of these texts; docs/evidence.md has the rules. */
export const WORDS = {
  assumption: 'A decision of a mapping where the contract is silent. Answers confirm or refute it.',
  brake:
    'Returns all clients of an operation to legacy at once, and stops its plan. It trips; someone resumes the plan.',
  candidate: 'In a comparison, the gateway’s answer, made from v1’s.',
  checked: 'Writes that the gateway translated without sending them. They prove nothing about v1.',
  control: 'The legacy answer in a comparison.',
  coverage: 'The share of the lines to be seen that compared exchanges have shown.',
  'declared loss': 'A member that v1 cannot give back. The mapping says so, and it is no difference that counts.',
  difference: 'A place where control and candidate differ. A single one that counts makes the operation not ready.',
  drift:
    'The data changed between two answers, so what differs does not count. A value on which legacy’s own two answers agree is never drift.',
  ignored:
    'All that differs is a declared loss or widening, drift, the form of equal numbers or the wording of errors, or is excused by a rule.',
  lineage: 'The mapping and releases that results belong to. With a new one they start from nothing.',
  'match rate':
    'The share of matched and ignored calls among the compared successes with content. Errors and empty answers do not raise it. After “units ≥” stands the exact lower bound (Clopper–Pearson) of the share of matching units, which must reach the target.',
  'not judged':
    'Calls that could not be compared: a service failed, or the client hung up, for instance. More than 1 % of them keep the verdict open.',
  place:
    'Where in an answer a difference is, as a legacy path. A client’s place, from 0 up to 100, says when its calls move: v1 answers those whose place is below the operation’s percentage.',
  proposal: 'A line of the mapping that would explain differences.',
  proven:
    'The verdict is “ready”: no difference counts, and enough units were compared. With 95 % confidence, at least 99 % of units like those compared match, unless the rollout file asks for more or less. “Nothing compared” is not proven.',
  'round trip': 'The gateway translates legacy’s answer to v1’s shape and back. The result must be the same.',
  shadow: 'To compare after a live call, which also goes to the other side. The client never waits for it.',
  skipped: 'Not sent to both sides: writes, unless a copy gets them, and a few others.',
  support:
    'In how many exchanges and places a proposal agreed. With enough of it, a proposal that is the only one left is certain.',
  unexcused: 'The match rate if nothing were excused: by no ignore rule, declared loss or declared widening.',
  unit: 'One client’s equal calls within an hour, whose legacy answer is a success with content. Calls are equal if they differ only in what the mapping ignores.',
  widening: 'A parameter by which v1 finds more than legacy does.',
} as const

export type Word = keyof typeof WORDS

const idOf = (term: string): string => term.replaceAll(' ', '-')

/**
 * Renders a term so that its meaning is a hover, a tap or a key away: a button that shows what `meanings` adds to the page.
 * @param shown how the text writes it, such as `Units`.
 */
export const word = (term: Word, shown: string = term): Html =>
  html`<button type="button" class="word" popovertarget="meaning-of-${idOf(term)}" title="${WORDS[term]}">${shown}</button>`

/** Renders the meanings of those terms that a page has buttons for, out of sight until one is asked for; empty if there are none. */
export function meanings(page: string): Html | '' {
  const terms = Object.entries(WORDS).filter(([term]) => page.includes(`popovertarget="meaning-of-${idOf(term)}"`))
  if (terms.length === 0) return ''
  return html`${terms.map(
    ([term, meaning]) =>
      html`<div id="meaning-of-${idOf(term)}" class="meaning" popover><strong>${term}</strong>: ${meaning} <a href="/words#${idOf(term)}">All words</a></div>\n`,
  )}`
}

/** Renders what the terms of the pages mean. */
export function wordsPage(): Page {
  const content = html`<h1>Words</h1>
<p class="lead">What the terms of these pages mean. One term stands for one thing.</p>
<dl class="words">
${Object.entries(WORDS).map(([term, meaning]) => html`<dt id="${idOf(term)}">${term}</dt>\n<dd>${meaning}</dd>\n`)}</dl>`
  return { title: 'Words', content }
}
