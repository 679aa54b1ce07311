/**
 * Makes a value from a key once, and returns the same value from then on. For values that are made from mappings alone,
 * never change, and are needed in several parts of a process. If `make` throws, the next call tries again. The value lives
 * no longer than its key.
 *
 * @example
 * const linesOnce = oncePer((shape: Shape) => linesOf(shape, 'toV1'))
 * linesOnce(address) === linesOnce(address)   // true: made once
 */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    let entry = made.get(key)
    if (entry === undefined) {
      entry = { value: make(key) }
      made.set(key, entry)
    }
    return entry.value
  }
}
