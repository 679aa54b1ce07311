import type { Style } from '../../common/tables.ts'
import type { ExplainedCall, ExplainedRefusal } from '../../guide/explain/explain-call.ts'
import type { ExplainedRequest } from '../../guide/explain/explain-requests.ts'
import { wrap } from './wrap.ts'
import { indented, WIDTH, writeLines } from './write-lines.ts'

/** A call with the lines to show, and the v1 method and path of its operation, if v1 has it. */
type ShownCall = ExplainedCall & { readonly v1: { readonly method: string; readonly path: string } | undefined }

/**
 * Writes an explained call as text for a terminal. Commands start at the left edge and are not wrapped, so that they
 * can be copied.
 * @param hidden the number of lines that are not shown.
 */
export function writeExplanation(call: ShownCall, hidden: number, style: Style): string {
  const { operation, says, legacy, requests, refusal, dropped, lines, v1 } = call
  return [
    style('bold', printable(`${legacy.method} ${legacy.path}`)) + (operation === null ? '' : ` (${operation})`),
    // The requests themselves show method and path.
    ...(requests.length > 0 || v1 === undefined ? [] : [`v1: ${v1.method} ${v1.path}`]),
    ...(says === null ? [] : wrap(says, WIDTH)),
    ...(refusal === undefined ? [] : writeRefusal(refusal, style)),
    ...requests.flatMap((request, index) => writeRequest(request, index, requests.length, style)),
    ...(call.then === undefined ? [] : ['', ...wrap(call.then, WIDTH)]),
    ...(dropped.length === 0 ? [] : ['', ...wrap(`Not sent: ${dropped.map(printable).join(', ')}`, WIDTH)]),
    ...PARTS.flatMap((part) => writeLines(part, lines, legacy.method, style)),
    ...(hidden === 0 ? [] : ['', style('dim', `${hidden} more ${hidden === 1 ? 'line' : 'lines'} with --all`)]),
    '',
  ].join('\n')
}

const PARTS = ['request', 'header', 'answer', 'error'] as const

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

/** Replaces control characters, because names and paths come from the client and must not control the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd')
