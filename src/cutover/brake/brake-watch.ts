/** Checks brakes when calls fail: at once, but at most every `everyMs` per operation. */
export interface BrakeWatch {
  failed(operation: string): void
  close(): void
}

export function brakeWatch(
  check: (operation: string) => void,
  { everyMs, monotonic }: { readonly everyMs: number; readonly monotonic: () => number },
): BrakeWatch {
  /** When each operation was last checked; ms. */
  const checkedAt = new Map<string, number>()
  const due = new Map<string, NodeJS.Timeout>()
  const checkNow = (operation: string): void => {
    due.delete(operation)
    checkedAt.set(operation, monotonic())
    check(operation)
  }
  return {
    failed(operation) {
      if (due.has(operation)) return
      const waitMs = (checkedAt.get(operation) ?? Number.NEGATIVE_INFINITY) + everyMs - monotonic()
      if (waitMs <= 0) checkNow(operation)
      else due.set(operation, setTimeout(checkNow, waitMs, operation).unref())
    },
    close() {
      for (const timer of due.values()) clearTimeout(timer)
      due.clear()
    },
  }
}
