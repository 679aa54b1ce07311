import { createHash } from 'node:crypto'
import type { Candidate } from './choose.ts'

/** Gathers the exchanges to choose from. */
export interface Candidates<T extends Candidate> {
  add(candidate: T): void
  all(): readonly T[]
}

/** The most different exchanges held in memory, about 100 MB. */
const MOST = 100_000

/**
 * Keeps one candidate of those that cover the same elements: the smallest, then the earliest. When there are too many, adds further
 * ones only if they cover a new element, so that memory is bounded and everything stays covered.
 */
export function gatherCandidates<T extends Candidate>(most = MOST): Candidates<T> {
  const candidates = new Map<string, T>()
  const covered = new Set<number>()
  return {
    add(candidate) {
      const { elements, size } = candidate
      const key = createHash('sha256').update(elements).digest('base64')
      const equal = candidates.get(key)
      if (equal === undefined && candidates.size >= most && elements.every((element) => covered.has(element))) return
      if (equal !== undefined && equal.size <= size) return
      candidates.set(key, candidate)
      for (const element of elements) covered.add(element)
    },
    all: () => [...candidates.values()],
  }
}
