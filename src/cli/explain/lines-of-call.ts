import type { CallToExplain, ExplainedCall } from '../../guide/explain/explain-call.ts'
import type { ExplainedLine } from '../../guide/lines/explain.ts'

/**
 * Returns the lines that concern a call: lines of request members that the call has, of headers that v1 gets, and all
 * lines of the answer. For a refused call: only lines of request members that the call has, or all request lines if it
 * has none.
 */
export function linesOfCall(
  { lines, requests, refusal }: ExplainedCall,
  call: CallToExplain,
): readonly ExplainedLine[] {
  const isInCall = memberFinder(call)
  const request = lines.filter(({ part }) => part === 'request')
  const sent = request.filter(({ legacy }) => legacy !== null && legacy !== '' && isInCall(legacy))
  if (refusal !== undefined) return sent.length === 0 ? request : sent
  const headers = requests.flatMap((each) => Object.keys(each.headers))
  return lines.filter(
    (line) =>
      line.part === 'answer' || (line.part === 'header' ? headers.includes(line.v1 ?? '') : sent.includes(line)),
  )
}

/**
 * Returns a function that finds out whether a call has a member, by its path in the body
 * (`products[].unitOfMeasure.code`) or its name in the query.
 */
function memberFinder({ path, body }: CallToExplain): (member: string) => boolean {
  const query = new URLSearchParams(path.split('?').slice(1).join('?'))
  const root = parsed(body)
  return (member) => query.has(member) || hasMember(root, member.replaceAll('[]', '').split('.'))
}

/** Whether a value has a member. For a list: whether any item has it. */
function hasMember(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  if (Array.isArray(value)) return value.some((item) => hasMember(item, path))
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? hasMember((value as Readonly<Record<string, unknown>>)[name], rest)
    : false
}

/** Parses JSON. Returns undefined if the text is not JSON. */
function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString())
  } catch {
    return undefined
  }
}
