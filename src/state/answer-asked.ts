import { parentPort } from 'node:worker_threads'
import type { Answered, Asked, ThreadError, Told } from './ask-thread.ts'
import { StateError } from './state-error.ts'

type Call = (...args: readonly unknown[]) => unknown

/**
 * Answers `askThread` in this thread, one call after the other, until `close` was called.
 * @param calls by name; they may be asynchronous.
 * @param dataOf returns what else the caller must know of an error.
 */
export function answerAsked(calls: object, dataOf: (error: unknown) => unknown = () => undefined): void {
  const byName = calls as Readonly<Record<string, Call>>
  let last: Promise<unknown> = Promise.resolve()
  const answer = async ({ id, call, args }: Asked): Promise<void> => {
    parentPort?.postMessage({ id, ...(await outcomeOf(() => byName[call]?.(...args), dataOf)) } satisfies Answered)
    if (call === 'close') parentPort?.close()
  }
  parentPort?.on('message', (asked: Asked) => {
    last = last.then(() => answer(asked))
  })
}

/** Sends news to the thread's owner. */
export const tell = (told: unknown): void => parentPort?.postMessage({ told } satisfies Told)

async function outcomeOf(
  work: () => unknown,
  dataOf: (error: unknown) => unknown,
): Promise<{ readonly value: unknown } | { readonly error: ThreadError }> {
  try {
    return { value: await work() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: { message, isBusy: error instanceof StateError && error.isBusy, data: dataOf(error) } }
  }
}
