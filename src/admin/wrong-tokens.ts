import { LRUCache } from 'lru-cache'
import { tellNowAndThen } from '../observe/throttle-report.ts'

/** Slows down whoever tries wrong tokens. */
export interface WrongTokens {
  /**
   * Notes a wrong token, and resolves when it may be refused: the more of them a peer has tried of late, the later, after two
   * seconds at most. Of a flood the oldest is refused sooner, so that what waits is bounded.
   */
  refusal(peer: string): Promise<void>
}

const FIRST_MS = 100
const LONGEST_MS = 2_000
/** A peer begins anew when it has tried none for so long. */
const FORGET_MS = 60_000
const MOST_PEERS = 1_000
const MOST_WAITING = 256
const TELL_EVERY_MS = 5_000

/** @param tell what is logged, every five seconds at most: how many, and who tried the last one. */
export function wrongTokens(tell: (count: number, peer: string) => void): WrongTokens {
  const delays = new LRUCache<string, number>({ max: MOST_PEERS, ttl: FORGET_MS })
  const tried = tellNowAndThen(tell, TELL_EVERY_MS)
  /** In the order in which they came. */
  const waiting = new Set<() => void>()
  return {
    refusal(peer) {
      tried(peer)
      const delay = delays.get(peer) ?? FIRST_MS
      delays.set(peer, Math.min(2 * delay, LONGEST_MS))
      const [oldest] = waiting
      if (waiting.size >= MOST_WAITING) oldest?.()
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, delay).unref()
        waiting.add(end)
      })
    },
  }
}
