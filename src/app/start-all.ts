import type { Handler } from '../data-plane/http/connection.ts'
import { StartError } from '../data-plane/http/listen.ts'

/** Waits until all parts have started. If any cannot start, closes the others and throws all reasons, one per line. */
export async function startAll<Parts extends readonly { close(graceMs: number): Promise<void> }[]>(
  parts: readonly [...{ [Index in keyof Parts]: Promise<Parts[Index]> }],
): Promise<Parts> {
  const settled = await Promise.allSettled(parts)
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const reasons = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  if (reasons.length > 0) {
    await Promise.all(started.map((part) => part.close(0)))
    const unexpected = reasons.find((reason) => !(reason instanceof StartError))
    throw unexpected ?? new StartError(reasons.map(({ message }) => message).join('\n'), { cause: reasons[0] })
  }
  return started as unknown as Parts
}

/** Answers requests that arrive while what answers them is being built, when its port is already open: they wait for it. */
export function whenBuilt(building: Promise<Handler>): Handler {
  let answer: Handler | undefined
  const built = building.then((handler) => {
    answer = handler
    return handler
  })
  // A failed build is reported where it is awaited.
  built.catch(() => undefined)
  return (incoming, outgoing) =>
    answer === undefined ? built.then((handler) => handler(incoming, outgoing)) : answer(incoming, outgoing)
}
