import { COMPARED_HEADERS } from '../../exchange/compared-headers.ts'
import type { Answer, Findings } from './difference.ts'
import type { SecondLook } from './second-look.ts'

/** What stands in details for a header that an answer does not have. */
const NONE = 'none'

/** Longer values are cut in details. */
const MAX_SHOWN = 100

/**
 * Adds the differences of the headers that programs read. The type of a body matters only where both have a body, and the
 * control says a type: no program reads what was never there.
 * @param lookAt returns the second answers at a header; undefined: there are none.
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

/** Results are stored and shown, so of a place where a call leads neither ids nor secrets may be in them. */
function shown(name: string, value: string | undefined): string {
  if (value === undefined) return NONE
  if (name !== 'location') return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
  const [path = '', ...query] = value.split(/[?#]/)
  const known = path.split('/').map((segment) => (/^(?:https?:|[a-z][a-z_.-]{0,31})?$/.test(segment) ? segment : '…'))
  return `${known.join('/').slice(0, MAX_SHOWN)}${query.length === 0 ? '' : '?…'}`
}
