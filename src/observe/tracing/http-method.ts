import type { Attributes } from '@opentelemetry/api'

/** The methods that OpenTelemetry's HTTP conventions know: RFC 9110 section 9, and PATCH of RFC 5789. */
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

/** Returns the attributes of a method. An unknown one is `_OTHER`, with the original beside it. */
export function methodAttributes(method: string): Attributes {
  if (KNOWN.has(method)) return { 'http.request.method': method }
  return { 'http.request.method': '_OTHER', 'http.request.method_original': method }
}

/**
 * Names a span by OpenTelemetry's conventions.
 * @param target a route or template; undefined: none is known.
 */
export function spanName(method: string, target: string | undefined): string {
  const word = KNOWN.has(method) ? method : 'HTTP'
  return target === undefined ? word : `${word} ${target}`
}
