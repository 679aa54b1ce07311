/** Waits for work, for at most `milliseconds`; undefined if it takes longer. The work continues. */
export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timeout = setTimeout(resolve, milliseconds, undefined)
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timeout))
}
