import type { Attributes } from '@opentelemetry/api'

/** RFC 9110 section 9, and PATCH of RFC 5789: those that OpenTelemetry's conventions for HTTP know. */
const KNOWN: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
])

/** A method as a span says it; one that is not known is `_OTHER`, and stands beside it as it was sent. */
export function methodAttributes(method: string): Attributes {
  if (KNOWN.has(method)) return { 'http.request.method': method }
  return { 'http.request.method': '_OTHER', 'http.request.method_original': method }
}

/** The name of a span by OpenTelemetry's conventions. @param target a route or template; undefined: none is known. */
export function spanName(method: string, target: string | undefined): string {
  const word = KNOWN.has(method) ? method : 'HTTP'
  return target === undefined ? word : `${word} ${target}`
}
