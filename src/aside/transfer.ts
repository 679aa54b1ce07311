/** Smaller arrays are copied, which is just as fast: they may be slices of memory that Node shares between many buffers. */
const LEAST_OWN = 65_536

/** Finds the memory of large byte arrays in a message, which can be transferred to another thread without a copy. */
export function bytesIn(value: unknown): ReadonlySet<ArrayBuffer> {
  const found = new Set<ArrayBuffer>()
  const look = (inner: unknown): void => {
    if (inner instanceof Uint8Array) {
      const { buffer, byteLength } = inner
      const isOwn = byteLength >= LEAST_OWN && byteLength * 2 > buffer.byteLength
      if (isOwn && buffer instanceof ArrayBuffer) found.add(buffer)
    } else if (Array.isArray(inner)) inner.forEach(look)
    else if (inner instanceof Map) for (const each of inner.values()) look(each)
    else if (typeof inner === 'object' && inner !== null && !(inner instanceof Set)) Object.values(inner).forEach(look)
  }
  look(value)
  return found
}
