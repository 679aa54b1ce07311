import { COMPARED_HEADERS } from '../../exchange/compared-headers.ts'
import type { Answer, Findings } from './difference.ts'
import type { SecondLook } from './second-look.ts'

/** Stands in details for a header that an answer does not have. */
const NONE = 'none'

/** Longer values are cut in details. */
const MAX_SHOWN = 100

/**
 * Adds the differences of the headers that programs read. A body's type matters only if both answers have a body and the control
 * has a type: no program relies on a header that was never there.
 * @param lookAt returns the header in the second answers; undefined: there are none.
 */
export function compareHeaders(
  control: Answer,
  candidate: Answer,
  findings: Findings,
  lookAt: (name: (typeof COMPARED_HEADERS)[number]) => SecondLook | undefined,
): void {
  const isTyped = control.headers?.['content-type'] && control.body.length > 0 && candidate.body.length > 0
  for (const name of COMPARED_HEADERS) {
    const [was, is] = [control.headers?.[name], candidate.headers?.[name]]
    if (was === is || (name === 'content-type' && !isTyped)) continue
    const [shownWas, shownIs] = [was, is].map((value) => shown(name, value))
    findings.add({
      ...{ kind: 'header', path: name, detail: `${shownWas} → ${shownIs}` },
      ...{ control: shownWas, candidate: shownIs, standing: lookAt(name)?.judge(was, is) },
    })
  }
}

/** Results are stored and shown, so they must not hold ids or secrets from a `Location`. */
function shown(name: string, value: string | undefined): string {
  if (value === undefined) return NONE
  if (name !== 'location') return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
  const [path = '', ...query] = value.split(/[?#]/)
  const known = path.split('/').map((segment) => (/^(?:https?:|[a-z][a-z_.-]{0,31})?$/.test(segment) ? segment : '…'))
  return `${known.join('/').slice(0, MAX_SHOWN)}${query.length === 0 ? '' : '?…'}`
}
