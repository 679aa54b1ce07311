import type { CompiledOperation } from '../engine/compile-operations.ts'
import { recordFinder, requestRowFinder } from '../engine/look-up.ts'
import type { RewriteContext } from '../engine/rewrite-options.ts'
import { type Call, type Gateway, newCall } from './gateway.ts'
import { readWholeList } from './read-whole-list.ts'

/** How long an answer that is there waits for a reference list that fills in a member of it. */
const PATIENCE_MS = 250

type Finder = ReturnType<typeof recordFinder>

/** What is known of the records of a list, for as long as the list itself is kept. */
const finders = new WeakMap<Uint8Array, Finder>()

/**
 * What an answer is filled from beside v1's own: the request's rows, and reference lists, which are asked for now, beside
 * the call itself. The returned function is called when v1 has answered; it waits for the lists no longer than 250 ms and
 * never fails: what cannot be had is not there.
 */
export function beginContext(
  gateway: Gateway,
  call: Call,
  operation: CompiledOperation,
  body: Uint8Array,
): () => Promise<RewriteContext> {
  const asked = operation.references.map((id) => ({ id, finder: finderOf(gateway, call, id).catch(() => undefined) }))
  return async () => {
    const found = new Map<string, Finder | undefined>()
    await Promise.all(
      asked.map(async ({ id, finder }) => {
        found.set(id, await Promise.race([finder, impatience()]))
      }),
    )
    return {
      requestRow: requestRowFinder(body),
      reference: (list, match, key, take) => found.get(list)?.(match, key, take),
    }
  }
}

const impatience = (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, undefined).unref())

async function finderOf(gateway: Gateway, { request }: Call, id: string): Promise<Finder> {
  const list = gateway.byId(id)
  const v1Call = list?.translateRequest({ query: '', body: new Uint8Array() }).call
  if (list === undefined || v1Call === undefined) throw new Error(`${id} is no list`)
  // A call of its own: its statuses are not those of the call that it serves.
  const { body } = await readWholeList(gateway, newCall(request), list, v1Call)
  const finder = finders.get(body) ?? recordFinder(body)
  finders.set(body, finder)
  return finder
}
