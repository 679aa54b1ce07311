import type { Coding } from '../../reference/encode-body.ts'

/** A form in which a list can be answered. */
export type Form = Coding | 'identity'

/** All forms, the shortest first. A client without a preference gets the first that it accepts. */
const FORMS: readonly Form[] = ['br', 'gzip', 'identity']

const UNCODED: readonly Form[] = ['identity']

/** RFC 9110 section 12.4.2. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/**
 * Returns the forms that a client accepts, its favourite first (RFC 9110 section 12.5.3). Without the header, only the
 * uncoded list: many old clients do not send it and could not decode anything. Never empty: a header that excludes
 * every form is disregarded (section 12.4.1), because a 406 of legacy means something else.
 */
export function acceptedForms(acceptEncoding: string | undefined): readonly Form[] {
  if (acceptEncoding === undefined) return UNCODED
  const weights = new Map<string, number>()
  for (const element of acceptEncoding.split(',')) {
    const [coding = '', parameter = 'q=1'] = element.split(';').map((part) => part.trim())
    const weight = WEIGHT.exec(parameter)?.[1]
    if (weight !== undefined) weights.set(coding.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight))
  }
  const wildcard = weights.get('*')
  // A form that the header does not cover is not accepted, except identity as the last resort.
  const weightOf = (form: Form): number => weights.get(form) ?? wildcard ?? (form === 'identity' ? Number.MIN_VALUE : 0)
  const accepted = FORMS.filter((form) => weightOf(form) > 0).sort((one, other) => weightOf(other) - weightOf(one))
  return accepted.length === 0 ? UNCODED : accepted
}
