import { within } from '../common/promises.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { recordFinder, requestRowFinder } from '../engine/look-up.ts'
import type { RewriteContext } from '../engine/rewrite/plan.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { ReferenceList } from '../reference/reference-list.ts'
import type { Gateway } from './gateway.ts'
import { askedBeside, type Call } from './gateway.ts'
import type { Aside } from './large-texts.ts'
import { keptWholeList, readWholeList } from './lists/read-whole-list.ts'
import { newNotes } from './notes.ts'

/** How long an answer waits for a reference list that fills one of its members. */
const PATIENCE_MS = 250

type Finder = ReturnType<typeof recordFinder>

/** Finders by the body of their list. Each lives as long as its list is cached. */
const finderCache = new WeakMap<Uint8Array, Finder>()

/**
 * Rewrites an answer of v1, and fills members from the request's rows and from reference lists. Reads a list only if a
 * member of this answer is filled from it, waits for it no longer than 250 ms, and does not fail without it.
 * @param body of the legacy request.
 */
export async function rewriteFilled(
  gateway: Gateway,
  call: Call,
  body: Uint8Array,
  rewrite: (context: RewriteContext) => Uint8Array,
): Promise<Uint8Array> {
  const requestRow = requestRowFinder(body)
  /** By list; undefined: the list is not available. */
  const finders = new Map<string, Finder | undefined>()
  const reference: RewriteContext['reference'] = (list, match, key, take) => {
    if (!finders.has(list)) finders.set(list, finderOf(keptList(gateway, call, list)))
    return finders.get(list)?.(match, key, take)
  }
  const answer = rewrite({ requestRow, reference })
  const missing = [...finders.keys()].filter((list) => finders.get(list) === undefined)
  if (missing.length === 0) return answer
  await readInTime(gateway, call, missing, (list, read) => finders.set(list, finderOf(read)))
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
  for (let given = v1; ; ) {
    const filled = await aside.rewriteFilled(mapping.id, kind, given, body, lists)
    if ('legacy' in filled) return filled.legacy
    given = filled.v1
    await readInTime(gateway, call, filled.missing, (list, read) => lists.set(list, read?.body ?? null))
  }
}

/** Reads lists. Calls `onRead` for each; with undefined if it could not be read in time. */
async function readInTime(
  gateway: Gateway,
  call: Call,
  lists: readonly string[],
  onRead: (list: string, read: ReferenceList | undefined) => void,
): Promise<void> {
  await Promise.all(
    lists.map(async (list) => {
      const reading = readList(gateway, call, list).catch(() => undefined)
      onRead(list, await within(PATIENCE_MS, reading))
    }),
  )
}

function finderOf(list: ReferenceList | undefined): Finder | undefined {
  if (list === undefined) return undefined
  const finder = finderCache.get(list.body) ?? recordFinder(list.body)
  finderCache.set(list.body, finder)
  return finder
}

function keptList(gateway: Gateway, call: Call, id: string): ReferenceList | undefined {
  const listCall = unfilteredCall(gateway, id)
  return listCall && keptWholeList(gateway, askedBeside(call), ...listCall)
}

async function readList(gateway: Gateway, call: Call, id: string): Promise<ReferenceList> {
  const listCall = unfilteredCall(gateway, id)
  if (listCall === undefined) throw new Error(`${id} is no list`)
  // The statuses of this read must not count as those of the call that needs the list.
  return readWholeList(gateway, askedBeside(call), newNotes(), ...listCall)
}

const unfilteredCalls = new WeakMap<CompiledOperation, V1Call>()

/** Returns the v1 call that reads a list without filters. */
function unfilteredCall(gateway: Gateway, id: string): [CompiledOperation, V1Call] | undefined {
  const list = gateway.byId(id)
  const v1Call =
    list && (unfilteredCalls.get(list) ?? list.translateRequest({ query: '', body: new Uint8Array() }).call)
  if (list === undefined || v1Call === undefined) return undefined
  unfilteredCalls.set(list, v1Call)
  return [list, v1Call]
}
