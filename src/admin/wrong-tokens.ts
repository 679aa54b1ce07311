import { LRUCache } from 'lru-cache'
import { throttleReport } from '../observe/throttle-report.ts'

/** Slows down clients that try wrong tokens. */
export interface WrongTokens {
  /**
   * Counts a wrong token and resolves when it may be refused. Each one from the same peer doubles the delay, up to two seconds.
   * In a flood, the oldest is refused early, so that the number of waiting requests is bounded.
   */
  refusal(peer: string): Promise<void>
}

const FIRST_MS = 100
const LONGEST_MS = 2_000
/** After this time without a wrong token, a peer starts over with the shortest delay. */
const FORGET_MS = 60_000
const MOST_PEERS = 1_000
const MOST_WAITING = 256
const REPORT_EVERY_MS = 5_000

/**
 * Delays the refusal of wrong tokens.
 * @param report called at most every five seconds, with the number of wrong tokens since the last report, and the latest peer.
 */
export function wrongTokens(report: (count: number, peer: string) => void): WrongTokens {
  const delays = new LRUCache<string, number>({ max: MOST_PEERS, ttl: FORGET_MS })
  const reportWrong = throttleReport(report, REPORT_EVERY_MS)
  /** In order of arrival. */
  const waiting = new Set<() => void>()
  return {
    refusal(peer) {
      reportWrong(peer)
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
