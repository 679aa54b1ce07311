/** A queue that returns its items by an order, regardless of when they were added. */
export interface PriorityQueue<T> {
  push(one: T): void
  /** Removes and returns the first item; undefined: the queue is empty. */
  pop(): T | undefined
}

/** Returns a queue that is a binary heap. Pushing and popping take time in the logarithm of its length. */
export function priorityQueue<T>(isBefore: (one: T, other: T) => boolean): PriorityQueue<T> {
  const heap: T[] = []
  const swapIfBefore = (low: number, high: number): boolean => {
    const [one, other] = [heap[low] as T, heap[high] as T]
    if (!isBefore(one, other)) return false
    heap[low] = other
    heap[high] = one
    return true
  }
  return {
    push(one) {
      let at = heap.push(one) - 1
      while (at > 0) {
        const above = (at - 1) >> 1
        if (!swapIfBefore(at, above)) return
        at = above
      }
    },
    pop() {
      const first = heap[0]
      const last = heap.pop()
      if (heap.length === 0 || last === undefined) return first
      heap[0] = last
      for (let at = 0; ; ) {
        const left = 2 * at + 1
        const right = left + 1
        if (left >= heap.length) return first
        const better = right < heap.length && isBefore(heap[right] as T, heap[left] as T) ? right : left
        if (!swapIfBefore(better, at)) return first
        at = better
      }
    },
  }
}
