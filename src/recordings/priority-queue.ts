/**
 * A queue that returns its items by an order, regardless of when they were added: a binary heap. Pushing and popping take time in the
 * logarithm of its length.
 */
export class PriorityQueue<T> {
  readonly #heap: T[] = []
  readonly #isBefore: (one: T, other: T) => boolean

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore
  }

  push(item: T): void {
    let at = this.#heap.push(item) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#swapIfBefore(at, above)) return
      at = above
    }
  }

  /** Removes and returns the first item; undefined: the queue is empty. */
  pop(): T | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || last === undefined) return first
    heap[0] = last
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const right = left + 1
      if (left >= heap.length) return first
      const better = right < heap.length && this.#isBefore(heap[right] as T, heap[left] as T) ? right : left
      if (!this.#swapIfBefore(better, at)) return first
      at = better
    }
  }

  #swapIfBefore(low: number, high: number): boolean {
    const [one, other] = [this.#heap[low] as T, this.#heap[high] as T]
    if (!this.#isBefore(one, other)) return false
    this.#heap[low] = other
    this.#heap[high] = one
    return true
  }
}
