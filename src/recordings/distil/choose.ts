import { createHash } from 'node:crypto'
import { PriorityQueue } from '../priority-queue.ts'

/** An exchange as far as it covers elements. */
export interface Candidate {
  /** The numbers of its elements, each once. */
  readonly elements: Uint32Array
  /** The size in bytes. */
  readonly size: number
  /** Its unique place in the order of reading. */
  readonly index: number
}

/** An exchange that is kept. */
export interface Chosen<T extends Candidate> {
  readonly candidate: T
  /** The elements that no other kept exchange covers. */
  readonly alone: readonly number[]
}

/**
 * Chooses few candidates that cover as much as all (greedy set cover): always the one that covers most missing elements; of equal
 * ones the smaller, then the earlier. Then leaves out candidates whose elements others cover. Returns the best first, so that a
 * few from the beginning cover as much as possible.
 */
export function choose<T extends Candidate>(candidates: readonly T[], elements: number): readonly Chosen<T>[] {
  const needed = withoutNeedless(greedy(candidates, elements), elements)
  const covering = timesCovered(needed, elements)
  return greedy(needed, elements).map((candidate) => ({
    candidate,
    alone: [...candidate.elements.filter((element) => covering[element] === 1)],
  }))
}

interface Queued<T> {
  readonly candidate: T
  /** How many missing elements it covered when last counted. The number never grows. */
  readonly gain: number
}

const isBefore = (one: Queued<Candidate>, other: Queued<Candidate>): boolean => {
  if (one.gain !== other.gain) return one.gain > other.gain
  const [a, b] = [one.candidate, other.candidate]
  return a.size === b.size ? a.index < b.index : a.size < b.size
}

/** Counts only the first candidate again: gains never grow, so the others are at best as good as when they were counted. */
function greedy<T extends Candidate>(candidates: readonly T[], elements: number): readonly T[] {
  const isCovered = new Uint8Array(elements)
  const gainOf = ({ elements }: Candidate): number => {
    let gain = 0
    for (const element of elements) gain += isCovered[element] === 0 ? 1 : 0
    return gain
  }
  const queue = new PriorityQueue<Queued<T>>(isBefore)
  for (const candidate of candidates) queue.push({ candidate, gain: candidate.elements.length })
  const chosen: T[] = []
  for (let first = queue.pop(); first !== undefined; first = queue.pop()) {
    const { candidate } = first
    const gain = gainOf(candidate)
    if (gain === 0) continue
    if (gain < first.gain) {
      queue.push({ candidate, gain })
      continue
    }
    chosen.push(candidate)
    for (const element of candidate.elements) isCovered[element] = 1
  }
  return chosen
}

/** Leaves out candidates whose elements the others cover, beginning with the last. */
function withoutNeedless<T extends Candidate>(chosen: readonly T[], elements: number): readonly T[] {
  const covering = timesCovered(chosen, elements)
  return chosen.toReversed().filter(({ elements }) => {
    const isNeeded = elements.some((element) => covering[element] === 1)
    if (!isNeeded) for (const element of elements) covering[element] = (covering[element] ?? 0) - 1
    return isNeeded
  })
}

function timesCovered(chosen: readonly Candidate[], elements: number): Uint32Array {
  const times = new Uint32Array(elements)
  for (const one of chosen) for (const element of one.elements) times[element] = (times[element] ?? 0) + 1
  return times
}

/** The most different exchanges held in memory, about 100 MB. */
const MOST = 100_000

/**
 * The exchanges to choose from: of those that cover the same elements only one, the smallest, then the earliest. When there are too
 * many, further ones are added only if they cover a new element, so that memory is bounded and everything stays covered.
 */
export class Candidates<T extends Candidate> {
  readonly #byElements = new Map<string, T>()
  readonly #covered = new Set<number>()
  readonly #most: number

  constructor(most = MOST) {
    this.#most = most
  }

  add(candidate: T): void {
    const { elements, size } = candidate
    const key = createHash('sha256').update(elements).digest('base64')
    const equal = this.#byElements.get(key)
    const isFull = equal === undefined && this.#byElements.size >= this.#most
    if (isFull && elements.every((element) => this.#covered.has(element))) return
    if (equal !== undefined && equal.size <= size) return
    this.#byElements.set(key, candidate)
    for (const element of elements) this.#covered.add(element)
  }

  all(): readonly T[] {
    return [...this.#byElements.values()]
  }
}
