import { JsonError } from '../../engine/json/scan-json.ts'
import { charsetOf } from '../../exchange/request-facts.ts'
import { malformedBy, malformedText } from '../../exchange/why-malformed.ts'
import type { Notes } from '../notes.ts'
import { failureOf } from './translate-error.ts'

/** Says what is malformed in the answer of a service, without anything of its body; undefined: it is not malformed, or unknown. */
export function malformedOf(error: unknown, { v1Type }: Pick<Notes, 'v1Type'>): string | undefined {
  if (failureOf(error) !== 'malformed' || !(error instanceof Error)) return undefined
  if (error instanceof JsonError) {
    return malformedText(error.what ?? 'not JSON', error.position, charsetOf(v1Type)).says
  }
  return malformedBy(error.cause instanceof Error ? error.cause.message : error.message) ?? malformedBy(error.message)
}
