import type { ServerResponse } from 'node:http'
import { release } from '../upstream/release.ts'
import type { Call } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'

/**
 * Gives the memory of an answer back when it has been written whole. The collector would do so as well, but what is outside
 * of its heap makes it look through all of it, many times a second when pages are large.
 */
export function giveBack({ body, isOwn }: LegacyAnswer, { kept }: Call, outgoing: ServerResponse): void {
  if (isOwn !== true || kept !== undefined || !(body instanceof Uint8Array)) return
  outgoing.on('close', () => {
    if (outgoing.writableFinished) release(body)
  })
}
