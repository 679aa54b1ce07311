/** Looks for what is to be done ahead of its time, and does it. */
export interface ReadAhead {
  /** Looks now. */
  look(): void
  /** From now on nothing is begun. */
  close(): void
}

/**
 * Looks every so often, ms; never when that is 0. One after another: v1 is there for the callers first.
 * @param readIfDue reads a list again when it is due; what fails leaves the list as it was.
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
