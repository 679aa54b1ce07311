import { html } from 'hono/html'
import type { Page } from './layout.ts'

/** The terms of the pages, in alphabetical order, each with its meaning. The only place of these texts; docs/evidence.md has the rules. */
export const WORDS = {
  brake:
    'Returns all clients of an operation to legacy at once, and stops its plan. It trips; someone resumes the plan.',
  candidate: 'In a comparison, the gateway’s answer, made from v1’s.',
  control: 'In a comparison, the answer of the legacy service.',
  coverage: 'The share of the mapping’s lines that compared calls have shown.',
  'declared loss': 'A member that v1 cannot give back. The mapping says so, and it is no difference that counts.',
  difference: 'A place where control and candidate differ. A single one that counts makes the operation not ready.',
  drift:
    'The data changed between two answers, so what differs does not count. A value on which legacy’s own two answers agree is never drift.',
  lineage:
    'The mapping of the operation and the releases of both services that results belong to. A new one starts from nothing.',
  place:
    'Where in an answer a difference is, as a legacy path. A client’s place, from 0 up to 100, says when its calls move: v1 answers those whose place is below the operation’s percentage.',
  proposal: 'A line of the mapping that would explain differences.',
  'proven (ready)':
    'No difference counts, and enough units were compared: with 95 % confidence, at least 99 % of units like those compared match, unless the rollout file asks for more or less. “Nothing compared” is not proven.',
  'round trip': 'The gateway translates legacy’s answer to v1’s shape and back. The result must be the same.',
  shadow: 'Comparing a live call with the other side after it was answered. The client never waits for it.',
  support:
    'In how many exchanges and places a proposal agreed. With enough of it, a proposal that is the only one left is certain.',
  unexcused: 'The match rate if no rule and no declared loss excused anything.',
  unit: 'One client’s equal calls within an hour, whose legacy answer is a success with content. Calls are equal if they differ only in what the mapping ignores.',
  unjudged:
    'Selected for comparison, and not comparable: a service failed, or the client hung up, for instance. More than 1 % keep the verdict open.',
  widening: 'A parameter by which v1 finds more than legacy does.',
} as const

/** Renders what the terms of the pages mean. */
export function wordsPage(): Page {
  const content = html`<h1>Words</h1>
<p class="lead">What the terms of these pages mean. One term stands for one thing.</p>
<dl class="words">
${Object.entries(WORDS).map(([word, meaning]) => html`<dt id="${word.split(' (')[0]?.replaceAll(' ', '-')}">${word}</dt>\n<dd>${meaning}</dd>\n`)}</dl>`
  return { title: 'Words', content }
}
