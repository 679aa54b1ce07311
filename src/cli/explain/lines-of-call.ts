import type { CallToExplain, ExplainedCall } from '../../guide/explain/explain-call.ts'
import type { ExplainedLine } from '../../guide/lines/explain.ts'

/**
 * The lines that concern a call: of the request those of members that it has, of the headers those that v1 gets, and what
 * differs in the answer. Of a call that is refused, what may be sent: the members that it has, or else all that there are.
 */
export function linesOfCall(
  { lines, requests, refusal }: ExplainedCall,
  call: CallToExplain,
): readonly ExplainedLine[] {
  const isThere = presence(call)
  const request = lines.filter(({ part }) => part === 'request')
  const there = request.filter(({ legacy }) => legacy !== null && legacy !== '' && isThere(legacy))
  if (refusal !== undefined) return there.length === 0 ? request : there
  const headers = requests.flatMap((each) => Object.keys(each.headers))
  return lines.filter(
    (line) =>
      line.part === 'answer' || (line.part === 'header' ? headers.includes(line.v1 ?? '') : there.includes(line)),
  )
}

/** Whether a call has a member, by its path in the body (`products[].unitOfMeasure.code`) or its name in the query. */
function presence({ path, body }: CallToExplain): (member: string) => boolean {
  const query = new URLSearchParams(path.split('?').slice(1).join('?'))
  const root = parsed(body)
  return (member) => query.has(member) || hasMember(root, member.replaceAll('[]', '').split('.'))
}

/** In a list one item that has it will do. */
function hasMember(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  if (Array.isArray(value)) return value.some((item) => hasMember(item, path))
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? hasMember((value as Readonly<Record<string, unknown>>)[name], rest)
    : false
}

/** Undefined: not JSON. */
function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString())
  } catch {
    return undefined
  }
}
