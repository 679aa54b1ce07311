/** Waits for work, for at most `milliseconds`; undefined if it takes longer. The work continues. */
export function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timeout = setTimeout(resolve, milliseconds, undefined)
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timeout))
}

/** Returns a function that runs work once all earlier work is done, whether or not that succeeded. It rejects as the work does. */
export function serial(): <Result>(work: () => Result | Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
