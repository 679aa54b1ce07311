/** Waits for work, for at most `milliseconds`; undefined if it takes longer. The work continues. */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
