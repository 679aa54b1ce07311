const closers: (() => unknown)[] = []

/** Closes something when all tests of the file have run; tests that run at the same time may share the list. */
export function closeAtEnd(close: () => unknown): void {
  closers.push(close)
}

/** Closes all that is to be closed by now. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}
