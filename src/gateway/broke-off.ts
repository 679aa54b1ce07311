import { Readable } from 'node:stream'
import type { LegacyAnswer } from './legacy-answer.ts'

/** Whether the legacy service broke the answer off. A client that hangs up destroys the stream too, which does not count. */
export function brokeOff({ body }: LegacyAnswer): boolean {
  const error = body instanceof Readable ? body.errored : null
  return error !== null && !('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')
}

/** Whether the client hung up while the answer was passed through. */
export const isAbandoned = (answer: LegacyAnswer): boolean =>
  answer.body instanceof Readable && !brokeOff(answer) && (answer.body.errored !== null || !answer.body.readableEnded)
