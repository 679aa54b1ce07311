import type { ExplainedCall } from '../../gateway/explain/explain-call.ts'
import type { ExplainedRefusal } from '../../gateway/explain/explain-refusal.ts'
import type { ExplainedRequest } from '../../gateway/explain/explain-requests.ts'
import { wrap } from './wrap.ts'
import { indented, type Style, WIDTH, writeLines } from './write-lines.ts'

/** An explained call as text for a terminal. Commands stand at the left edge as they are, so that they can be copied. */
export function writeExplanation(call: ExplainedCall, style: Style): string {
  const { operation, says, legacy, requests, refusal, dropped, lines } = call
  // Of a refused call only what may be sent matters.
  const parts = refusal === undefined ? (['request', 'header', 'answer', 'error'] as const) : (['request'] as const)
  return [
    style('bold', printable(`${legacy.method} ${legacy.path}`)) + (operation === null ? '' : ` (${operation})`),
    ...(says === null ? [] : wrap(says, WIDTH)),
    ...(refusal === undefined ? [] : writeRefusal(refusal, style)),
    ...requests.flatMap((request, index) => writeRequest(request, index, requests.length, style)),
    ...(call.then === undefined ? [] : ['', ...wrap(call.then, WIDTH)]),
    ...(dropped.length === 0 ? [] : ['', ...wrap(`Not sent: ${dropped.map(printable).join(', ')}`, WIDTH)]),
    ...parts.flatMap((part) => writeLines(part, lines, legacy.method, style)),
    '',
  ].join('\n')
}

function writeRefusal({ status, body, why }: ExplainedRefusal, style: Style): readonly string[] {
  return [
    '',
    style('red', `Refused with ${status}; v1 is not asked.`),
    ...why.flatMap((sentence) => indented(sentence, 2)),
    `The client gets: ${JSON.stringify(body)}`,
  ]
}

function writeRequest(
  { method, url, headers, body, curl }: ExplainedRequest,
  index: number,
  count: number,
  style: Style,
): readonly string[] {
  return [
    '',
    style('bold', count === 1 ? 'v1 request' : `v1 request ${index + 1}`),
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
    '',
    curl,
  ]
}

/** Names and paths are the client's own: nothing in them may steer a terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd')
