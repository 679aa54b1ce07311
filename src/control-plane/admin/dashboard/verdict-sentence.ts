import { chosenPercent, count, counted, listed, percent } from '../../../common/figures.ts'
import { comparedOf } from '../../evidence/report/report-words.ts'
import type { Experiment } from './sources.ts'

/**
 * Says why an operation has its verdict, and why its match rate may say something else: the rate counts calls that legacy answered with
 * content, the target is for units, and a single difference that counts is a veto.
 */
export function verdictSentence(experiment: Experiment): string {
  const { verdict } = experiment
  const why = verdict === 'not ready' ? whyNotReady : verdict === 'ready' ? whyReady : whyOpen
  return `${why(experiment)}${excusedIn(experiment)}`
}

/** How many compared calls legacy answered with content, and how many of them differ where it counts. */
export function contentOf({ totals, errors, empty, matchRate }: Experiment) {
  const compared = comparedOf({ totals })
  const calls = compared - errors.matched - errors.mismatched - empty
  return { compared, calls, mismatched: Math.round(calls * (1 - matchRate)) }
}

/** Returns the listed differences of an operation that count. */
export const countingIn = ({ differences }: Pick<Experiment, 'differences'>) =>
  differences.filter(({ ignored }) => ignored === null)

/** Says how many differences count where some do: `2 differences count`. */
export function countingInWords(experiment: Experiment): string {
  const { length } = countingIn(experiment)
  return length === 0
    ? 'differences count that are too many to be listed'
    : counted(length, 'difference counts', 'differences count')
}

/** Whether every call was skipped, and none was even checked. After a reset of the evidence there are no calls, so none was skipped either. */
export const isAllSkipped = ({ totals, checked }: Experiment): boolean =>
  totals.skipped > 0 && totals.skipped === totals.requests && checked === null

function whyNotReady(experiment: Experiment): string {
  return `Not ready, because ${countingInWords(experiment)}: a single one is enough, whatever the match rate. It counts until the mapping changes, a service reports another release, the evidence is reset, or a rule excuses it.${rateBeside(experiment)}`
}

/** Says where the calls that differ are, if the match rate does not show them. */
function rateBeside(experiment: Experiment): string {
  const { totals, errors, matchRate, target, checked, roundTrip } = experiment
  const { compared, calls, mismatched } = contentOf(experiment)
  if (compared === 0) return ' No call was sent to both services, so there is no match rate.'
  if (calls === 0) return ' Legacy answered no compared call with content, so there is no match rate.'
  const measured = `The match rate is ${percent(matchRate, target)}`
  const others = totals.mismatched - mismatched
  if (mismatched === 0 && others > 0) {
    const ofErrors = Math.min(errors.mismatched, others)
    const where = [
      ...(ofErrors > 0 ? [`${count(ofErrors)} with an error`] : []),
      ...(others > ofErrors ? [`${count(others - ofErrors)} without content`] : []),
    ]
    return ` ${measured} all the same: it counts only the ${counted(calls, 'call')} that legacy answered with content, and legacy answered ${others === 1 ? 'the one that differs' : 'those that differ'} ${others === 1 ? (where[0] ?? '').slice(2) : listed(where)}.`
  }
  if (mismatched === 0 && (checked !== null || roundTrip !== null)) {
    return ` ${measured} all the same: what differs was found in writes that were checked, and no write was sent to both services for that.`
  }
  return ` ${measured}: ${count(calls - mismatched)} of ${counted(calls, 'call')} that legacy answered with content.`
}

function whyOpen(experiment: Experiment): string {
  const { missing, matchRate, target } = experiment
  if (isAllSkipped(experiment)) {
    return 'Insufficient data, because every call was skipped: none was sent to both services.'
  }
  const { calls } = contentOf(experiment)
  const lacking = missing.length === 0 ? '' : ` Missing: ${missing.join('; ')}.`
  if (calls === 0 || matchRate < target) return `Insufficient data.${lacking}`
  return `Insufficient data, although ${percent(matchRate, target)} of the calls match: ${provenIn(experiment)}, and the target is ${chosenPercent(target)}.${lacking}`
}

const whyReady = (experiment: Experiment): string =>
  `Ready, because no difference counts, and ${provenIn(experiment)}, as the target of ${chosenPercent(experiment.target)} demands.`

/** `the 125 units prove at least 97.21 % with 95 % confidence` */
const provenIn = ({ units, lowerBound, target, confidence }: Experiment): string =>
  `${units.estimated ? 'about ' : ''}${counted(units.distinct, 'unit proves', 'units prove')} at least ${percent(lowerBound, target)} with ${chosenPercent(confidence)} confidence (equal calls of one client within an hour are one unit)`

/** Says what rules and losses excuse; empty: nothing. */
function excusedIn(experiment: Experiment): string {
  const { unexcusedRate, matchRate } = experiment
  if (contentOf(experiment).calls === 0 || unexcusedRate === matchRate) return ''
  return ` Without ignore rules, declared losses and widenings, the match rate would be ${percent(unexcusedRate)}.`
}
