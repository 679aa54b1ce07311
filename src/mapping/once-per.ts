/**
 * Makes something of a key once, and gives the same from then on: for what is made of mappings alone, which several parts of
 * a process need and which never changes. A key that throws is tried again. Nothing is kept beyond the key's own life.
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
