import { StartError } from '../http/listen.ts'

/** Waits until all parts have started. If any cannot start, closes the others and throws all reasons, one per line. */
export async function startAll<Parts extends readonly { close(graceMs: number): Promise<void> }[]>(
  parts: readonly [...{ [Index in keyof Parts]: Promise<Parts[Index]> }],
): Promise<Parts> {
  const settled = await Promise.allSettled(parts)
  const started = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
  if (reasons.length > 0) {
    await Promise.all(started.map((part) => part.close(0)))
    const unexpected = reasons.find((reason) => !(reason instanceof StartError))
    throw unexpected ?? new StartError(reasons.map(({ message }) => message).join('\n'), { cause: reasons[0] })
  }
  return started as unknown as Parts
}
