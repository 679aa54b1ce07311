import { readV1Error } from '../../../engine/read-v1-error.ts'
import type { NotSentName } from '../coverage/not-sent.ts'
import { isObject, type JsonValue } from '../diff/json-value.ts'
import { boundedPath } from '../diff/path.ts'
import type { LearnedRequest } from './learned.ts'

/** One request, and how both sides took it. */
export interface AskedOf {
  /** What the mapping does not send; see `Expectations.notSentIn`. */
  readonly notSent: readonly NotSentName[]
  readonly legacyStatus: number
  /** v1's own answer; undefined: unknown. */
  readonly v1: { readonly status: number; readonly body: Uint8Array } | undefined
  /** The gateway's answer, in which v1's violations have legacy's paths. */
  readonly candidate: JsonValue | undefined
}

const REFUSED = 422
/** The most violations of one answer. */
const MOST = 50

/** Returns what legacy accepts of a request and v1 does not get, or refuses. */
export function learnRequests({ notSent, legacyStatus, v1, candidate }: AskedOf): readonly LearnedRequest[] {
  if (legacyStatus >= 400) return []
  const dropped = notSent.flatMap(({ part, legacy }): readonly LearnedRequest[] =>
    part === 'other'
      ? []
      : [
          {
            legacy,
            says: part === 'request' ? 'the mapping does not send it' : 'v1 does not get some of its values',
            v1Path: null,
          },
        ],
  )
  return v1?.status === REFUSED ? [...dropped, ...refused(v1.body, candidate)] : dropped
}

function refused(body: Uint8Array, candidate: JsonValue | undefined): readonly LearnedRequest[] {
  const violations = isObject(candidate) && Array.isArray(candidate.violations) ? candidate.violations : []
  return readV1Error(body)
    .errors.slice(0, MOST)
    .map(({ path }, index) => {
      const violation: JsonValue = violations[index] ?? null
      const legacy = isObject(violation) && typeof violation.propertyPath === 'string' ? violation.propertyPath : path
      return { legacy: boundedPath(legacy), says: 'legacy accepts it, v1 refuses it', v1Path: boundedPath(path) }
    })
}
