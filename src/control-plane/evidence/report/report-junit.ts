import { count, counted } from '../../../common/figures.ts'
import type { ReplayedReport } from '../../../recordings/replay/replay-results.ts'
import { nameInFull, seenIn } from '../coverage/not-sent.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import type { Report } from './report-json.ts'
import { judgeable, linesOf, nothingIn, shareOfContent } from './report-words.ts'

/** One test of a suite; `outcome` becomes its child element; undefined: the test passed. */
interface TestCase {
  readonly name: string
  readonly outcome?: { readonly kind: 'failure' | 'error' | 'skipped'; readonly says: string; readonly text: string }
}

/**
 * Renders a report as JUnit XML for Jenkins and GitLab: one suite per operation, with a failure if anything mismatched, an error
 * if anything failed or too much was refused alike, and a skipped test if everything was skipped. The output of a suite says what its
 * verdict leaves open.
 */
export function reportJunit({ startedAt, finishedAt, operations, unjudgedLimit }: Report): string {
  const suites = operations.map((report) => ({
    report,
    operation: report.operation,
    cases: [...refusedIn(report, unjudgedLimit), ...casesOf(report)],
  }))
  const all = suites.flatMap(({ cases }) => cases)
  const seconds = ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000).toFixed(3)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="side by side" tests="${all.length}" failures="${casesThat(all, 'failure')}" errors="${casesThat(all, 'error')}" time="${seconds}">`,
    ...suites.flatMap(({ report, operation, cases }) => [
      `  <testsuite name="${xml(operation)}" tests="${cases.length}" failures="${casesThat(cases, 'failure')}" errors="${casesThat(cases, 'error')}" skipped="${casesThat(cases, 'skipped')}" timestamp="${startedAt.slice(0, 19)}">`,
      ...cases.flatMap((one) => writeCase(operation, one)),
      ...leftOpenBy(report).map((text) => `    <system-out>${xml(text)}</system-out>`),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

/** Returns the verdict and what v1 did not get, a line each, if the verdict leaves anything open. */
function leftOpenBy({ verdict, says, coverage: { notSent } }: ReplayedReport): readonly string[] {
  const lines = notSent.map((member) => `never sent to v1: ${nameInFull(member)} (${seenIn(member)})`)
  return says === verdict && lines.length === 0 ? [] : [[`verdict: ${says}`, ...lines].join('\n')]
}

/** What both sides refuse or leave empty alike is an error, if there is more of it than may stay unjudged. */
function refusedIn(report: ReplayedReport, limit: number): readonly TestCase[] {
  const nothing = nothingIn(report)
  if (nothing === 0) return []
  const of = judgeable(report)
  const says = `both sides refused ${nothing} of ${counted(of, 'exchange')} alike, which proves nothing`
  const text = Object.entries(report.unjudged)
    .map(([reason, times]) => `${reason}: ${times}`)
    .join('\n')
  return [{ name: 'answers show something', outcome: { kind: nothing > of * limit ? 'error' : 'skipped', says, text } }]
}

function casesOf(report: ReplayedReport): readonly TestCase[] {
  const { totals, differences, uncompared, matchRate } = report
  const { requests, mismatched, failed, skipped } = totals
  const because = (outcome: 'failed' | 'skipped'): string =>
    uncompared
      .filter((one) => one.outcome === outcome)
      .map((one) => `${one.reason}: ${count(one.requests)}, ${linesOf(one)}`)
      .join('\n')
  if (skipped === requests) {
    const says = `${count(skipped)} of ${counted(requests, 'exchange')} skipped`
    return [{ name: 'answers match', outcome: { kind: 'skipped', says, text: because('skipped') } }]
  }
  const compared = requests - failed - skipped
  const cases: TestCase[] = []
  if (mismatched > 0) {
    const says = `${count(mismatched)} of ${counted(compared, 'exchange')} mismatched (match rate ${shareOfContent(report, matchRate)})`
    const counting = differences.filter(({ ignored }) => ignored === null)
    cases.push({
      name: 'answers match',
      outcome: { kind: 'failure', says, text: counting.map(describe).join('\n') },
    })
  } else if (compared > 0) cases.push({ name: 'answers match' })
  if (failed > 0) {
    const says = `${count(failed)} of ${counted(failed + compared, 'exchange')} failed`
    cases.push({ name: 'both sides answer', outcome: { kind: 'error', says, text: because('failed') } })
  } else cases.push({ name: 'both sides answer' })
  return cases
}

function describe(difference: DifferenceReport): string {
  const { kind, path, v1Path, requests, details, shownBy } = difference
  const where = [kind, path, v1Path === null ? '' : `(v1: ${v1Path})`].filter((part) => part !== '').join(' ')
  const which = Object.entries(details ?? {}).map(([detail, times]) => `${detail}: ${count(times)}`)
  return [
    `${where}: in ${counted(requests, 'exchange')}`,
    ...which,
    linesOf(difference),
    ...shownBy.flatMap(({ says }) => says),
  ].join(', ')
}

const casesThat = (cases: readonly TestCase[], kind: string): number =>
  cases.filter(({ outcome }) => outcome?.kind === kind).length

function writeCase(operation: string, { name, outcome }: TestCase): readonly string[] {
  const start = `    <testcase classname="${xml(operation)}" name="${xml(name)}"`
  if (outcome === undefined) return [`${start}/>`]
  const { kind, says, text } = outcome
  const type = kind === 'skipped' ? '' : ` type="${kind === 'failure' ? 'mismatched' : 'failed'}"`
  return [`${start}>`, `      <${kind} message="${xml(says)}"${type}>${xml(text)}</${kind}>`, '    </testcase>']
}

/** Characters that XML 1.0 cannot represent (section 2.2). */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for an element or a double-quoted attribute. */
const xml = (text: string): string =>
  text.replaceAll(NOT_XML, '\ufffd').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
