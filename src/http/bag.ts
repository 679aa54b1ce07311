interface Entry<Item> {
  readonly item: Item
  index: number
}

/**
 * Unordered collection with O(1) add and remove, for items that come and go all the time. A `Set` rehashes every few of them,
 * and V8 links each old table to the next: once one table is in the old generation, everything in the later ones survives
 * too. That made the garbage collector pause for 6 ms ten times a second; with this class it pauses for 0.6 ms.
 */
export class Bag<Item> implements Iterable<Item> {
  readonly #entries: Entry<Item>[] = []

  get size(): number {
    return this.#entries.length
  }

  /** Adds an item. Returns the function that removes it; call it once. */
  add(item: Item): () => void {
    const entry: Entry<Item> = { item, index: this.#entries.length }
    this.#entries.push(entry)
    return () => {
      const last = this.#entries.pop()
      if (last === undefined || last === entry) return
      // The last entry takes the free place.
      this.#entries[entry.index] = last
      last.index = entry.index
    }
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const { item } of this.#entries) yield item
  }
}
