/** Resolves like the promise, or with undefined if that takes longer. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timeout = setTimeout(resolve, milliseconds, undefined)
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timeout))
}
