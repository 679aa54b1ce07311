import { within } from '../../common/promises.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { recordFinder, requestRowFinder } from '../../engine/json-members.ts'
import type { RewriteContext } from '../../engine/rewrite/rewrite-plan.ts'
import { oncePer } from '../../mapping/once-per.ts'
import type { ReferenceList } from '../reference/reference-list.ts'
import { askedBeside, type Call, type Gateway } from './gateway.ts'
import type { Aside } from './large-texts.ts'
import { readWholeList } from './lists/read-whole-list.ts'

/** How long an answer waits for a reference list that fills one of its members, unless the gateway says otherwise. */
const PATIENCE_MS = 250

/**
 * Rewrites an answer of v1, and fills members from the request's rows and from reference lists. Reads a list only if a
 * member of this answer is filled from it, waits for it no longer than `fillWithinMs`, and does not fail without it.
 * @param body of the legacy request.
 */
export async function rewriteFilled(
  gateway: Gateway,
  call: Call,
  body: Uint8Array,
  rewrite: (context: RewriteContext) => Uint8Array,
): Promise<Uint8Array> {
  const requestRow = requestRowFinder(body)
  const lists = new Map<string, ReferenceList | undefined>()
  const readings: Promise<unknown>[] = []
  const reference: RewriteContext['reference'] = (id, match, key, take) => {
    if (!lists.has(id)) {
      const reading = readList(gateway, call, id)
      lists.set(id, reading instanceof Promise ? undefined : reading)
      if (reading instanceof Promise) readings.push(reading.then((list) => lists.set(id, list)))
    }
    const list = lists.get(id)
    return list && finderOf(list.body)(match, key, take)
  }
  const answer = rewrite({ requestRow, reference })
  if (readings.length === 0) return answer
  await Promise.all(readings)
  return rewrite({ requestRow, reference })
}

/** Does the same for large texts, in another thread. */
export async function fillAside(
  gateway: Gateway,
  aside: Aside,
  call: Call,
  { mapping }: CompiledOperation,
  kind: 'record' | 'list',
  v1: Uint8Array,
  body: Uint8Array,
): Promise<Uint8Array> {
  const lists = new Map<string, Uint8Array | null>()
  for (let answer = v1; ; ) {
    const filled = await aside.rewriteFilled(mapping, kind, answer, body, lists)
    if ('legacy' in filled) return filled.legacy
    answer = filled.v1
    for (const [id, reading] of filled.missing.map((id) => [id, readList(gateway, call, id)] as const)) {
      lists.set(id, (await reading)?.body ?? null)
    }
  }
}

/** Returns a list without filters, at once if it is cached; undefined if it cannot be read in time. */
function readList(
  gateway: Gateway,
  call: Call,
  id: string,
): ReferenceList | undefined | Promise<ReferenceList | undefined> {
  const operation = gateway.byId(id)
  const v1Call = operation && unfilteredCall(operation)
  if (operation === undefined || v1Call === undefined) return undefined
  // The statuses of this read must not count as those of the call that needs the list.
  const list = readWholeList(gateway, askedBeside(call), operation, v1Call)
  return list instanceof Promise ? within(gateway.fillWithinMs ?? PATIENCE_MS, list).catch(() => undefined) : list
}

/** Finds records by the body of their list. Each lives as long as its list is cached. */
const finderOf = oncePer((list: Uint8Array) => recordFinder(list))

const unfilteredCall = oncePer(
  ({ translateRequest }: CompiledOperation) => translateRequest({ query: '', body: new Uint8Array() }).call,
)
