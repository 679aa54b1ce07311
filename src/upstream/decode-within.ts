import { decodeBody } from './decode-body.ts'
import { type Account, ANSWER_FACTOR, SMALL_BYTES } from './memory-budget.ts'
import { UpstreamError } from './upstream-error.ts'

/** Each further try allows eight times as much. */
const NEXT_TRY = 8

/**
 * Decodes a body as `decodeBody` does, within the memory budget. The decoded size is not known in advance. Most bodies decode to little,
 * for which the budget needs no room. If a body turns out larger, decodes it again with room for eight times as much. Gives the room of a
 * try back before it waits for more, so that decoders do not wait for each other.
 */
export async function decodeWithin(
  body: Uint8Array,
  encoding: string,
  limit: number,
  account: Account | undefined,
): Promise<Uint8Array> {
  for (let size = Math.min(SMALL_BYTES, limit); ; size = Math.min(size * NEXT_TRY, limit)) {
    const room = size > SMALL_BYTES ? size * ANSWER_FACTOR : 0
    if (account !== undefined && room > 0) await takeRoom(account, room)
    let needed = 0
    try {
      const decoded = await decodeBody(body, encoding, size)
      needed = room > 0 ? decoded.length * ANSWER_FACTOR : 0
      return decoded
    } catch (error) {
      if (size === limit || !(error instanceof UpstreamError && error.kind === 'too-large')) throw error
    } finally {
      account?.memory.letGo(account.holder, 'answer', room - needed)
    }
  }
}

async function takeRoom({ memory, holder, mayExceed }: Account, bytes: number): Promise<void> {
  if (mayExceed) memory.holdAnyway(holder, bytes)
  else await memory.holdSoon(holder, 'answer', bytes)
}
