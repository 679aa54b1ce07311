import { LRUCache } from 'lru-cache'
import type { GuideTexts, MakeGuide } from '../../exchange/guide-form.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'

/** How long a guide is served before it is made again. */
const KEPT_MS = 5_000
/** The most that is kept in all, in characters. */
const MOST_KEPT = 16_000_000
/** What an entry takes besides its guide, in characters. */
const AROUND_GUIDE = 200
/** How many guides are made at a time. */
const MOST_AT_A_TIME = 4

/**
 * Makes each client's guide at most once in five seconds, and only a few guides at a time, so that reading guides cannot overload
 * the gateway.
 * @param now ms; only goes forward.
 * @throws UpstreamError `overloaded` if too many guides of other clients are being made.
 */
export function keptGuides(make: MakeGuide, now: () => number): MakeGuide {
  const making = new Map<string, Promise<GuideTexts | undefined>>()
  const kept = new LRUCache<string, { readonly until: number; readonly texts: GuideTexts | undefined }>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ texts }) =>
      AROUND_GUIDE + (texts === undefined ? 0 : texts.html.length + texts.markdown.length + texts.json.length),
  })
  const makeAndKeep = async (client: string): Promise<GuideTexts | undefined> => {
    const until = now() + KEPT_MS
    try {
      const texts = await make(client)
      kept.set(client, { until, texts })
      return texts
    } finally {
      making.delete(client)
    }
  }
  return async (client) => {
    const found = kept.get(client)
    if (found !== undefined && now() < found.until) return found.texts
    const underWay = making.get(client)
    if (underWay !== undefined) return underWay
    if (making.size >= MOST_AT_A_TIME) throw new UpstreamError('overloaded', 'too many guides are being made at once')
    const made = makeAndKeep(client)
    making.set(client, made)
    return made
  }
}
