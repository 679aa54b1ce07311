const closers: (() => unknown)[] = []

/** Closes something after all tests of the file. Concurrent tests share the list. */
export function closeAtEnd(close: () => unknown): void {
  closers.push(close)
}

/** Closes everything that is registered so far. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}
