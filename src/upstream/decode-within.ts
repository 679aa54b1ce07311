import { type Account, ANSWER_FACTOR } from './answer-room.ts'
import { decodeBody } from './decode-body.ts'
import { UpstreamError } from './upstream-error.ts'

/** Most bodies decode to less than this. Each further try allows eight times as much. */
const FIRST_TRY = 1024 * 1024
const NEXT_TRY = 8

/**
 * Decodes a body as `decodeBody` does, within the memory budget. The decoded size is not known in advance: takes room
 * for a first size, and decodes again with room for eight times as much if the body turns out larger.
 */
export async function decodeWithin(
  body: Uint8Array,
  encoding: string,
  limit: number,
  account: Account | undefined,
  withinMs: number,
): Promise<Uint8Array> {
  const before = account?.holder.held ?? 0
  for (let room = Math.min(FIRST_TRY, limit); ; room = Math.min(room * NEXT_TRY, limit)) {
    if (account !== undefined && room > FIRST_TRY) await takeRoom(account, before + room * ANSWER_FACTOR, withinMs)
    try {
      const decoded = await decodeBody(body, encoding, room)
      if (room > FIRST_TRY) account?.memory.settle(account.holder, before + decoded.length * ANSWER_FACTOR)
      return decoded
    } catch (error) {
      if (room === limit || !(error instanceof UpstreamError && error.kind === 'too-large')) throw error
    }
  }
}

async function takeRoom({ memory, holder, mayExceed }: Account, bytes: number, withinMs: number): Promise<void> {
  const more = bytes - holder.held
  if (mayExceed) memory.holdAnyway(holder, more)
  else await memory.holdWithin(holder, more, 'answer', withinMs)
}
