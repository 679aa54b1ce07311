/** Refreshes lists in the background before they are stale. */
export interface ReadAhead {
  /** Looks for due lists now. */
  look(): void
  /** Stops. Starts no further refresh. */
  close(): void
}

/**
 * Looks for due lists every `everyMs` ms; never if that is 0. Refreshes one list at a time, because clients' calls come
 * first.
 * @param readIfDue refreshes a list if it is due. If it rejects, the list stays as it was.
 */
export function readAhead(
  everyMs: number,
  keys: () => Iterable<string>,
  readIfDue: (key: string) => Promise<unknown> | undefined,
): ReadAhead {
  let isClosed = false
  let isReading = false
  const look = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    for (const key of [...keys()]) {
      const reading = isClosed ? undefined : readIfDue(key)
      if (reading !== undefined) await reading.catch(() => undefined)
    }
    isReading = false
  }
  const timer = everyMs > 0 ? setInterval(look, everyMs).unref() : undefined
  return {
    look: () => void look(),
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}
