import { Hono } from 'hono'
import { parseObject } from '../validation/read-object.ts'
import {
  type Difference,
  type Disturbance,
  type Fault,
  FaultError,
  isDifference,
  readScopedFault,
  type Scope,
} from './fault.ts'

/** A fault in the book. */
interface SetFault extends Scope {
  readonly id: number
  readonly fault: Fault
}

/** The faults of one call. */
export interface Faults {
  readonly disturbance: Disturbance | undefined
  readonly differences: readonly Difference[]
}

/** The faults of one face. Kept only in memory. A fault is removed when its calls are used up. */
export class FaultBook {
  /** The faults by their ids, in the order in which they were set. */
  readonly faults = new Map<number, SetFault>()
  #lastId = 0

  set(scope: Scope, fault: Fault): SetFault {
    const set = { ...scope, id: ++this.#lastId, fault }
    this.faults.set(set.id, set)
    return set
  }

  /**
   * Returns the faults of a call to this path, and counts the call against them. `path` is undefined if no fault can be
   * set for it; `named` is the fault that the call itself names. All differences apply. Of disturbances, only the one that
   * the call names applies, or else the oldest; the others wait for later calls.
   */
  take(path: string | undefined, named: Fault | undefined): Faults {
    const matching = [...this.faults.values()].filter((each) => path !== undefined && ['*', path].includes(each.path))
    const isDisturbed = named !== undefined && !isDifference(named)
    const first = isDisturbed ? undefined : matching.find(({ fault }) => !isDifference(fault))
    const taken = matching.filter((each) => each === first || isDifference(each.fault))
    for (const each of taken) this.#use(each)
    const all = [...taken.map(({ fault }) => fault), ...(named === undefined ? [] : [named])]
    return {
      disturbance: all.find((fault): fault is Disturbance => !isDifference(fault)),
      differences: all.filter(isDifference),
    }
  }

  #use(set: SetFault): void {
    if (set.calls === 1) this.faults.delete(set.id)
    else if (set.calls !== 'all') this.faults.set(set.id, { ...set, calls: set.calls - 1 })
  }
}

/** The path for setting a face's faults, on the face's own port. */
export const controlPath = '/sandbox/faults'

/** *Assumed*: more than this is a mistake. */
const mostFaults = 1000
const mostBytes = 64 * 1024

/**
 * Builds the API for setting the faults of a face that has these paths. Every refusal is a 4xx with `message`, and with
 * `errors` that name each mistake by its path. Refusals are in English, because they are for testers and not part of
 * the contract.
 */
export function controlFaults(book: FaultBook, paths: readonly string[]): Hono {
  const app = new Hono()
  app.post(controlPath, async ({ req: request }) => {
    if (book.faults.size >= mostFaults) return refuse(409, `${mostFaults} faults are already set.`)
    const text = await request.text()
    if (text.length > mostBytes) return refuse(413, 'The body is too large.')
    const sent = parseObject(text)
    if (sent === undefined) return refuse(400, 'The body must be a JSON object.')
    const { scope, fault } = readScopedFault(sent, paths)
    return Response.json(present(book.set(scope, fault)), { status: 201 })
  })
  app.get(controlPath, () => Response.json({ faults: Array.from(book.faults.values(), present) }))
  app.delete(controlPath, () => {
    book.faults.clear()
    return new Response(null, { status: 204 })
  })
  app.delete(`${controlPath}/:id{[0-9]+}`, ({ req: request }) =>
    book.faults.delete(Number(request.param('id')))
      ? new Response(null, { status: 204 })
      : refuse(404, 'No such fault.'),
  )
  app.all(controlPath, () => refuse(405, 'Use GET, POST or DELETE.', { Allow: 'GET, POST, DELETE' }))
  app.on('TRACE', '*', () => refuse(405, 'TRACE is not allowed.', { Allow: '' }))
  app.notFound(() => refuse(404, `Faults are set at ${controlPath}.`))
  app.onError((error) => {
    if (error instanceof FaultError) return refuseFault(error)
    throw error
  })
  return app
}

function present({ id, path, calls, fault }: SetFault): object {
  return { id, path, calls, ...fault }
}

/** Returns the 400 for a body or a request header that is not a valid fault. */
export function refuseFault({ message, errors }: FaultError): Response {
  return refuse(400, message, {}, { errors })
}

/** Returns a refusal of the fault API itself, not of the face. */
export function refuse(status: number, message: string, headers: Record<string, string> = {}, more = {}): Response {
  return Response.json({ message, ...more }, { status, headers })
}
