import type { HttpBindings } from '@hono/node-server'
import { parseObject } from '../validation/read-object.ts'
import { controlFaults, controlPath, refuse, refuseOrder } from './control-faults.ts'
import { differ, disturb } from './disturb.ts'
import { type Fault, FaultError, readFault } from './fault.ts'
import { type Faults, openFaultBook } from './fault-book.ts'

/** Names a fault for the call that carries it, and, in an answer, the faults that made it what it is. */
const header = 'X-Sandbox-Fault'

/** A face of the sandbox, as its faults see it. */
export interface Face {
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** As docs/contract.md 4 and 6 write them; a part that varies is `{id}`. */
  readonly paths: readonly string[]
  /** How the face words a status from 400 up that nothing in the request is the cause of. */
  readonly errorOf: (status: number, request: Request) => Response
}

/** The face with its faults: as it is while none is set. Faults are set at `/sandbox/faults` (docs/sandbox.md "Faults on demand"). */
export function withFaults(face: Face): (request: Request, connection: HttpBindings) => Promise<Response> {
  const book = openFaultBook()
  const control = controlFaults(book, face.paths)
  const pathOf = pathFinder(face.paths)
  return async (request, connection) => {
    const { pathname } = new URL(request.url)
    const isControl = pathname === controlPath || pathname.startsWith(`${controlPath}/`)
    // Faults are set by whoever reaches the sandbox itself, not through a gateway in front of it.
    if (isControl && !request.headers.has('X-Forwarded-For')) return control.fetch(request)
    const path = pathOf(pathname)
    const named = request.headers.get(header)
    if (path === undefined && named === null) return face.fetch(request)
    const own = named === null ? undefined : readHeader(named)
    if (own instanceof Response) return own
    return answer(face, request, connection, book.take(path, own))
  }
}

async function answer(face: Face, request: Request, connection: HttpBindings, faults: Faults): Promise<Response> {
  const { disturbance, differences } = faults
  const carryOut = async () => {
    const usual = await face.fetch(request)
    return differences.length === 0 ? usual : mark(await differ(usual, differences), differences)
  }
  if (disturbance === undefined) return carryOut()
  const errorOf = (status: number) => face.errorOf(status, request)
  const disturbed = await disturb(disturbance, { carryOut, errorOf, connection })
  // What is cut off is written already.
  return disturbance.kind === 'cut' ? disturbed : mark(disturbed, [disturbance])
}

function mark(answer: Response, faults: readonly { kind: string }[]): Response {
  for (const { kind } of faults) answer.headers.append(header, kind)
  return answer
}

/** The header's fault, or the refusal of a header that names none. */
function readHeader(named: string): Fault | Response {
  const sent = parseObject(named)
  if (sent === undefined) return refuse(400, `The header ${header} must be a JSON object.`)
  try {
    return readFault(sent)
  } catch (error) {
    if (error instanceof FaultError) return refuseOrder(error)
    throw error
  }
}

/** Finds the path, as it is written with `{id}`, that a request's path is an instance of. */
function pathFinder(paths: readonly string[]): (pathname: string) => string | undefined {
  const forms = paths.map((path) => ({ path, form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  return (pathname) => forms.find(({ form }) => form.test(pathname))?.path
}
