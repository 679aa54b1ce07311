import type { Corrections, OperationCorrections } from '../../../mapping/corrections/corrections.ts'
import type { Observation } from '../observation.ts'
import type { Learning } from './learn-from-answers.ts'
import { Proposals, type ProposalsReport } from './proposals.ts'
import { type Trial, trialOf } from './trial.ts'

/** What the comparisons of this process propose. In memory only. */
export interface LiveProposals {
  /** Returns what to learn from the next exchange of an operation. */
  learningOf(operation: string): Learning
  /** The certain lines of all operations, with those that are in force: what to try. The same object until they change. */
  toTry(): Corrections
  /** Notes what a comparison found. */
  note(observation: Observation): void
  /** Forgets what was found of an operation. */
  forget(operation: string): void
  report(): ProposalsReport
}

interface LiveOptions {
  /** Returns what `MAPPING_FILE` says of an operation; undefined: nothing. */
  readonly existing: (operation: string) => OperationCorrections | undefined
  /** Returns the hash of an operation's mapping; see `mappingHash`. */
  readonly mappingOf: (operation: string) => string
  /** Returns the time in ms since the epoch. */
  readonly now: () => number
}

/** How long what was learned may wait before the certain lines are looked for again; ms. */
const JUDGED_EVERY_MS = 500
/** Looking for them takes at most one part in so many of the time: with 200 differing paths, it takes 0.4 s. */
const SHARE = 20

/** Collects what comparisons propose. What was found of an operation is forgotten when its mapping or a release changes. */
export function liveProposals({ existing, mappingOf, now }: LiveOptions): LiveProposals {
  const proposals = new Proposals()
  const trials = new Map<string, Trial>()
  /** The versions that were learned from, by operation. */
  const versions = new Map<string, string>()
  const unjudged = new Set<string>()
  let judgedFrom = Number.NEGATIVE_INFINITY
  let certain: Corrections = { operations: {} }

  const forget = (operation: string): void => {
    proposals.forget(operation)
    trials.delete(operation)
    unjudged.add(operation)
  }
  /** Looks for the certain lines. If they changed, their trial begins anew. */
  const judge = (): void => {
    const began = now()
    if (unjudged.size === 0 || began < judgedFrom) return
    let operations = certain.operations
    for (const id of unjudged) {
      const [found] = proposals.report(id, { existing }).operations
      const isAny = found?.proposals.some(({ certainty }) => certainty === 'certain') === true
      const next = isAny ? found.file.operations[id] : undefined
      if (JSON.stringify(next) === JSON.stringify(operations[id])) continue
      const { [id]: _, ...others } = operations
      operations = next === undefined ? others : { ...others, [id]: next }
      trials.delete(id)
    }
    unjudged.clear()
    const ended = now()
    judgedFrom = ended + Math.max(JUDGED_EVERY_MS, SHARE * (ended - began))
    if (operations !== certain.operations) certain = { operations }
  }

  return {
    learningOf: (operation) => ({ watched: proposals.watched(operation) }),
    toTry() {
      judge()
      return certain
    },
    note({ operation, learned, trial, releases, input, client }) {
      const version = JSON.stringify([mappingOf(operation), releases?.v1, releases?.legacy])
      if (learned === undefined && trial === undefined) return
      if ((versions.get(operation) ?? version) !== version) forget(operation)
      versions.set(operation, version)
      if (learned !== undefined) {
        proposals.add(operation, learned, { input, client })
        unjudged.add(operation)
      }
      if (trial !== undefined) trials.set(operation, trialOf(trials.get(operation), new Date(now()), trial))
    },
    forget,
    report: () => proposals.report(undefined, { existing, trial: (id) => trials.get(id) }),
  }
}
