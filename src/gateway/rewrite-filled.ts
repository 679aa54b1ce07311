import { recordFinder, requestRowFinder } from '../engine/look-up.ts'
import type { RewriteContext } from '../engine/rewrite-options.ts'
import { type Call, type Gateway, newCall } from './gateway.ts'
import { readWholeList } from './read-whole-list.ts'

/** How long an answer waits for a reference list that fills in a member of it. */
const PATIENCE_MS = 250

type Finder = ReturnType<typeof recordFinder>

/** What is known of the records of a list, for as long as the list itself is kept. */
const finders = new WeakMap<Uint8Array, Finder>()

/**
 * Rewrites an answer of v1, filled in from the request's rows and from reference lists. A list is asked for only when a
 * member of this answer is filled from it; it is waited for no longer than 250 ms, and never fails the answer.
 * @param body the legacy request's.
 */
export async function rewriteFilled(
  gateway: Gateway,
  call: Call,
  body: Uint8Array,
  rewrite: (context: RewriteContext) => Uint8Array,
): Promise<Uint8Array> {
  const requestRow = requestRowFinder(body)
  const wanted = new Set<string>()
  const reference = (list: string): undefined => {
    wanted.add(list)
  }
  const answer = rewrite({ requestRow, reference })
  if (wanted.size === 0) return answer

  const impatience = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined).unref())
  const found = new Map<string, Finder | undefined>()
  await Promise.all(
    [...wanted].map(async (list) => {
      const finder = finderOf(gateway, call, list).catch(() => undefined)
      found.set(list, await Promise.race([finder, impatience]))
    }),
  )
  return rewrite({ requestRow, reference: (list, match, key, take) => found.get(list)?.(match, key, take) })
}

async function finderOf(gateway: Gateway, { request, credentials }: Call, id: string): Promise<Finder> {
  const list = gateway.byId(id)
  const v1Call = list?.translateRequest({ query: '', body: new Uint8Array() }).call
  if (list === undefined || v1Call === undefined) throw new Error(`${id} is no list`)
  // A call of its own: its statuses are not those of the call that it serves.
  const { body } = await readWholeList(gateway, newCall(request, credentials), list, v1Call)
  const finder = finders.get(body) ?? recordFinder(body)
  finders.set(body, finder)
  return finder
}
