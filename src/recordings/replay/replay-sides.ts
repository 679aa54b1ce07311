import type { Operation } from '../../mapping/operation.ts'
import type { Ask } from './replay.ts'
import { ReplayError } from './replay.ts'

/** Sends a GET that changes nothing; resolves to undefined if the service gave no answer. */
type AskPlainly = (path: string) => Promise<{ readonly status: number; readonly body: Uint8Array } | undefined>

/** A service to check, with its address for messages. */
export interface SideToCheck {
  readonly ask: AskPlainly
  readonly url: string
}

type Question = Pick<Operation, 'legacy' | 'v1'>

/** Checks that the two services were not mistaken for each other. */
export interface SideCheck {
  /**
   * Wraps `ask`. Until the side has answered a call with success, a refusal triggers the check of both sides, which runs once.
   * Without the check, two swapped sides would refuse every call alike and so match.
   */
  watched(ask: Ask): Ask
  /**
   * Checks both sides, once.
   * @throws ReplayError that names the wrong address.
   */
  check(): Promise<void>
}

interface Sides {
  /** Undefined: no legacy service is asked. */
  readonly legacy: SideToCheck | undefined
  readonly v1: SideToCheck
}

/**
 * Asks each service for its own list and for the other's. A service that gives only the other's list is the wrong one.
 * @param question a list that needs no token; undefined: there is none, and nothing is checked.
 * @param onWrong called with the error of a check that `watched` triggered.
 */
export function sideCheck(question: Question | undefined, sides: Sides, onWrong: (error: unknown) => void): SideCheck {
  let checked: Promise<void> | undefined
  const check = (): Promise<void> => {
    checked ??=
      question?.v1 === undefined ? Promise.resolve() : checkSides(question.legacy.path, question.v1.path, sides)
    return checked
  }
  return {
    check,
    watched(ask) {
      let isProven = false
      return async (request) => {
        const answer = await ask(request)
        isProven ||= isSuccess(answer.status)
        if (!isProven) await check().catch(onWrong)
        return answer
      }
    },
  }
}

async function checkSides(legacyPath: string, v1Path: string, { legacy, v1 }: Sides): Promise<void> {
  const ofLegacy = (side: SideToCheck) => side.ask(legacyPath).then(isLegacyList)
  const ofV1 = (side: SideToCheck) => side.ask(`${v1Path}?perPage=1`).then(isV1List)
  const isOther = async (side: SideToCheck, other: typeof ofV1, own: typeof ofV1) =>
    (await other(side)) && !(await own(side))
  const [legacyIsV1, v1IsLegacy] = await Promise.all([
    legacy !== undefined && isOther(legacy, ofV1, ofLegacy),
    isOther(v1, ofLegacy, ofV1),
  ])
  const problems = [
    ...(legacyIsV1 ? [`${legacy?.url} is v1, and was given as the legacy service (--legacy or LEGACY_BASE_URL)`] : []),
    ...(v1IsLegacy ? [`${v1.url} is the legacy service, and was given as v1 (--v1 or V1_BASE_URL)`] : []),
  ]
  if (problems.length === 0) return
  throw new ReplayError([...problems, ...(problems.length === 2 ? ['The two addresses are swapped.'] : [])].join('\n'))
}

type Answer = Awaited<ReturnType<AskPlainly>>

const isLegacyList = (answer: Answer): boolean => Array.isArray(rootOf(answer))

/** docs/contract.md 2.4. */
function isV1List(answer: Answer): boolean {
  const root = rootOf(answer)
  return typeof root === 'object' && root !== null && 'items' in root && Array.isArray(root.items)
}

/** Parses the body of a success; undefined: the answer is not a success, or not JSON. */
function rootOf(answer: Answer): unknown {
  if (answer === undefined || !isSuccess(answer.status)) return undefined
  try {
    return JSON.parse(Buffer.from(answer.body).toString())
  } catch {
    return undefined
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299
