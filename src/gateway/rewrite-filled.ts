import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { recordFinder, requestRowFinder } from '../engine/look-up.ts'
import type { RewriteContext } from '../engine/rewrite/rewrite-options.ts'
import type { V1Call } from '../engine/translate-request.ts'
import type { ReferenceList } from '../reference/reference-list.ts'
import type { Aside } from './aside.ts'
import { askedBeside, type Call } from './call.ts'
import type { Gateway } from './gateway.ts'
import { keptWholeList, readWholeList } from './lists/read-whole-list.ts'
import { Notes } from './notes.ts'

/** How long an answer waits for a reference list that fills in a member of it. */
const PATIENCE_MS = 250

type Finder = ReturnType<typeof recordFinder>

/** What is known of the records of a list, for as long as the list itself is kept. */
const known = new WeakMap<Uint8Array, Finder>()

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
  /** By list; undefined: it is not there. */
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

/** The same for large texts, aside. */
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

/** Gets lists, or tells that one is not to be had in time. */
async function readInTime(
  gateway: Gateway,
  call: Call,
  lists: readonly string[],
  tell: (list: string, read: ReferenceList | undefined) => void,
): Promise<void> {
  const impatience = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined).unref())
  await Promise.all(
    lists.map(async (list) => {
      const reading = readList(gateway, call, list).catch(() => undefined)
      tell(list, await Promise.race([reading, impatience]))
    }),
  )
}

function finderOf(list: ReferenceList | undefined): Finder | undefined {
  if (list === undefined) return undefined
  const finder = known.get(list.body) ?? recordFinder(list.body)
  known.set(list.body, finder)
  return finder
}

function keptList(gateway: Gateway, call: Call, id: string): ReferenceList | undefined {
  const asked = plainCall(gateway, id)
  return asked && keptWholeList(gateway, askedBeside(call), ...asked)
}

async function readList(gateway: Gateway, call: Call, id: string): Promise<ReferenceList> {
  const asked = plainCall(gateway, id)
  if (asked === undefined) throw new Error(`${id} is no list`)
  // Its statuses are not those of the call that it serves.
  return readWholeList(gateway, askedBeside(call), new Notes(), ...asked)
}

const plainCalls = new WeakMap<CompiledOperation, V1Call>()

/** What is asked for a list that is not filtered. */
function plainCall(gateway: Gateway, id: string): [CompiledOperation, V1Call] | undefined {
  const list = gateway.byId(id)
  const v1Call = list && (plainCalls.get(list) ?? list.translateRequest({ query: '', body: new Uint8Array() }).call)
  if (list === undefined || v1Call === undefined) return undefined
  plainCalls.set(list, v1Call)
  return [list, v1Call]
}
