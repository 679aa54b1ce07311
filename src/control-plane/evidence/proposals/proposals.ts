import type { Corrections, OperationCorrections } from '../../../mapping/corrections/corrections.ts'
import { candidateLines } from './candidate-lines.ts'
import { type Learned, type LearnedDifference, MOST_NAMES, MOST_PATHS, type Watched } from './learned.ts'
import { PathEvidence, type ShownIn } from './path-evidence.ts'
import { fileOf } from './proposed-file.ts'
import { type ProposedLines, proposedLines } from './proposed-lines.ts'
import { type RequestReport, RequestSums } from './request-sums.ts'
import type { Trial } from './trial.ts'

/** What is proposed for one operation; JSON. */
export interface OperationProposals extends Omit<ProposedLines, 'keeps'> {
  readonly operation: string
  /** The exchanges that were learned from. */
  readonly exchanges: number
  readonly requests: readonly RequestReport[]
  /** What bounds cut off. */
  readonly limits: readonly string[]
  /** Null: there was no certain proposal yet. */
  readonly trial: Trial | null
  /** What to put into `MAPPING_FILE`. */
  readonly file: Corrections
}

export interface ProposalsReport {
  readonly operations: readonly OperationProposals[]
}

/** What a report needs beside what was learned. */
export interface ReportedWith {
  /** What `MAPPING_FILE` says of an operation; undefined: nothing. */
  existing?(operation: string): OperationCorrections | undefined
  trial?(operation: string): Trial | undefined
}

/** The most memory of an operation, in bytes; the most differences, clients and limits. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_DIFFERENCES = 500
const MOST_CLIENTS = 2
const MOST_LIMITS = 20
/** The most candidates of a path whose own paths are watched. */
const MOST_IN_QUESTION = 3

/** Collects by operation what exchanges say about lines that could explain their differences. Bounded. */
export class Proposals {
  readonly #operations = new Map<string, OperationEvidence>()

  /** Adds what was learned from an exchange of an operation. */
  add(operation: string, learned: Learned, shown: ShownIn): void {
    let evidence = this.#operations.get(operation)
    if (evidence === undefined) {
      evidence = new OperationEvidence()
      this.#operations.set(operation, evidence)
    }
    evidence.add(learned, shown)
  }

  /** Returns what `learn` must watch in the next exchange of an operation; undefined: nothing differed yet. */
  watched(operation: string): Watched | undefined {
    return this.#operations.get(operation)?.watched()
  }

  /** Forgets an operation, because its mapping or a service has changed. */
  forget(operation: string): void {
    this.#operations.delete(operation)
  }

  /** The memory that an operation takes, in bytes, roughly. */
  bytes(operation: string): number {
    return this.#operations.get(operation)?.bytes ?? 0
  }

  /** Reports what is proposed, for one operation or all. */
  report(operation?: string, { existing, trial }: ReportedWith = {}): ProposalsReport {
    const operations = [...this.#operations]
      .filter(([id]) => operation === undefined || id === operation)
      .map(([id, evidence]) => {
        const { keeps, ...lines } = evidence.lines()
        return {
          ...{ operation: id, exchanges: evidence.exchanges, ...lines, requests: evidence.requests.report() },
          ...{ limits: evidence.limits(), trial: trial?.(id) ?? null },
          file: fileOf(id, lines.proposals, keeps, existing?.(id)),
        }
      })
    return { operations }
  }
}

class OperationEvidence {
  exchanges = 0
  readonly requests = new RequestSums()
  readonly #paths = new Map<string, PathEvidence>()
  readonly #differences = new Map<string, LearnedDifference>()
  readonly #clients = new Set<number>()
  readonly #limits = new Set<string>()
  /** The memory of each path. */
  readonly #bytes = new Map<string, number>()
  bytes = 0
  /** Paths that lines in question would take away, if legacy has them. */
  #ownPaths: readonly string[] = []

  add(learned: Learned, shown: ShownIn): void {
    this.exchanges++
    for (const limit of learned.limits) if (this.#limits.size < MOST_LIMITS) this.#limits.add(limit)
    if (shown.client !== undefined && this.#clients.size < MOST_CLIENTS) this.#clients.add(shown.client)
    this.requests.add(learned.requests, shown.client)
    for (const difference of learned.differences) this.#addDifference(difference)
    for (const path of learned.paths) {
      let evidence = this.#paths.get(path.legacy)
      if (evidence === undefined) {
        if (this.#paths.size >= MOST_PATHS) {
          this.#limits.add(`more than ${MOST_PATHS} paths differ; the others have no proposals`)
          continue
        }
        evidence = new PathEvidence(path)
        this.#paths.set(path.legacy, evidence)
      }
      evidence.add(path, shown)
      const bytes = evidence.bytes
      this.bytes += bytes - (this.#bytes.get(path.legacy) ?? 0)
      this.#bytes.set(path.legacy, bytes)
    }
    while (this.bytes > MOST_BYTES) this.#dropRarest()
    // Candidates change less and less often.
    if (this.exchanges <= 4 || this.exchanges % 8 === 0) this.#ownPaths = this.#findOwnPaths()
  }

  watched(): Watched {
    const paths = [...this.#paths.values()]
    const pathsThat = (test: (path: PathEvidence) => boolean): readonly string[] =>
      paths.filter(test).map(({ legacy }) => legacy)
    return {
      paths: [...new Set([...this.#paths.keys(), ...this.#ownPaths])],
      noValues: pathsThat(({ places }) => places === 0),
      noEnums: pathsThat(({ enums, distinct }) => enums?.size === 0 || distinct > MOST_NAMES),
    }
  }

  lines(): ProposedLines {
    return proposedLines([...this.#paths.values()], [...this.#differences.values()], this.#clients.size > 1)
  }

  limits(): readonly string[] {
    return [...this.#limits, ...(this.requests.isCut ? ['requests have more members than are counted'] : [])]
  }

  #findOwnPaths(): readonly string[] {
    return [...this.#paths.values()].flatMap((path) =>
      candidateLines(path)
        .slice(0, MOST_IN_QUESTION)
        .flatMap(({ reads }) => reads.map((read) => path.ownPath(read)))
        .filter((ownPath) => !this.#paths.has(ownPath)),
    )
  }

  #addDifference(difference: LearnedDifference): void {
    const key = `${difference.kind} ${difference.path}`
    const before = this.#differences.get(key)
    if (before === undefined && this.#differences.size >= MOST_DIFFERENCES) {
      this.#limits.add(`more than ${MOST_DIFFERENCES} differences`)
    } else if (before === undefined || before.leaves.length < difference.leaves.length) {
      this.#differences.set(key, difference)
    }
  }

  #dropRarest(): void {
    let rarest: PathEvidence | undefined
    for (const path of this.#paths.values())
      if (rarest === undefined || path.exchanges < rarest.exchanges) rarest = path
    if (rarest === undefined) return
    this.#paths.delete(rarest.legacy)
    this.bytes -= this.#bytes.get(rarest.legacy) ?? 0
    this.#bytes.delete(rarest.legacy)
    this.#limits.add('4 MB do not hold what all differing paths say; the rarest have no proposals')
  }
}
