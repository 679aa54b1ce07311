import type { HttpBindings } from '@hono/node-server'
import { parseObject } from '../validation/read-object.ts'
import { differ, disturb } from './disturb.ts'
import { type Fault, FaultError, readFault } from './fault.ts'
import { controlFaults, controlPath, FaultBook, type Faults, refuse, refuseFault } from './fault-book.ts'

/** In a request, names a fault for that call. In an answer, lists the faults that were applied. */
const header = 'X-Sandbox-Fault'

/** A face of the sandbox that faults can be set for. */
interface FaultyFace {
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** Written as in docs/contract.md 4 and 6; a variable part is `{id}`. */
  readonly paths: readonly string[]
  /** Builds the face's own answer with a status of 400 or more, for an error that the request did not cause. */
  readonly errorOf: (status: number, request: Request) => Response
}

/**
 * Adds faults to a face, which behaves as usual while none is set. Faults are set at `/sandbox/faults` (docs/sandbox.md
 * "Faults on demand").
 */
export function withFaults(face: FaultyFace): (request: Request, connection: HttpBindings) => Promise<Response> {
  const book = new FaultBook()
  const control = controlFaults(book, face.paths)
  const pathOf = pathFinder(face.paths)
  return async (request, connection) => {
    const { pathname } = new URL(request.url)
    const isControl = pathname === controlPath || pathname.startsWith(`${controlPath}/`)
    // Faults can be set only by direct requests, not through a gateway in front of the sandbox.
    if (isControl && !request.headers.has('X-Forwarded-For')) return control.fetch(request)
    const path = pathOf(pathname)
    const named = request.headers.get(header)
    if (path === undefined && named === null) return face.fetch(request)
    const fault = named === null ? undefined : readHeader(named)
    if (fault instanceof Response) return fault
    return answer(face, request, connection, book.take(path, fault))
  }
}

async function answer(face: FaultyFace, request: Request, connection: HttpBindings, faults: Faults): Promise<Response> {
  const { disturbance, differences } = faults
  const carryOut = async () => {
    const usual = await face.fetch(request)
    if (differences.length === 0) return usual
    const { answer, made } = await differ(usual, differences)
    return mark(answer, made)
  }
  if (disturbance === undefined) return carryOut()
  const errorOf = (status: number) => face.errorOf(status, request)
  const disturbed = await disturb(disturbance, { carryOut, errorOf, connection })
  // A cut answer has already been written.
  return disturbance.kind === 'cut' ? disturbed : mark(disturbed, [disturbance])
}

function mark(answer: Response, faults: readonly { kind: string }[]): Response {
  for (const { kind } of faults) answer.headers.append(header, kind)
  return answer
}

/** Reads the fault of a header. Returns a refusal if it is not valid. */
function readHeader(named: string): Fault | Response {
  const sent = parseObject(named)
  if (sent === undefined) return refuse(400, `The header ${header} must be a JSON object.`)
  try {
    return readFault(sent)
  } catch (error) {
    if (error instanceof FaultError) return refuseFault(error)
    throw error
  }
}

/** Returns a function that finds the path, written with `{id}`, for the path of a request. */
function pathFinder(paths: readonly string[]): (pathname: string) => string | undefined {
  const forms = paths.map((path) => ({ path, form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  return (pathname) => forms.find(({ form }) => form.test(pathname))?.path
}
