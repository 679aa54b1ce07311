import type { Seen } from '../../control-plane/usage/usage.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Reader } from '../../mapping/reader.ts'
import type { Parameter } from '../../mapping/request.ts'
import { explain } from '../lines/explain.ts'
import { EMPTY_NOT_SENT, NULLS_NOT_SENT } from '../lines/explain-request.ts'
import { because, documented, type ExplainedLine } from '../lines/explained-line.ts'
import type { Change } from './client-guide.ts'
import type { ShownCall } from './example-call.ts'
import { countOf, shows } from './used-operation.ts'

/** Returns what changes in what a client sends: the lines of the members that it sends, each once, without what is lost. */
export function requestChanges(mapping: Operation, seen: Seen, shown: ShownCall | undefined): readonly Change[] {
  return explain(mapping)
    .filter(({ part }) => part === 'request')
    .flatMap((line) => {
      if (line.legacy === null) return seen.calls === 0 ? [] : [asChange(line, pagingInWords(mapping, line))]
      if (line.legacy === '') return changesOfAll(line, seen, shown)
      return isMember(line) && isKept(seen, line.legacy) ? memberChange(mapping, line, seen, shown) : []
    })
}

/** Says how to read v1's pages, where legacy has none. */
function pagingInWords({ response }: Operation, { v1, change }: ExplainedLine): Partial<Change> {
  const isPage = response.kind === 'whole-list' && v1 === `?${response.paging.page}`
  return {
    ...(change === 'paging' && { topic: 'pages' }),
    ...(isPage && { says: 'read every page, from 1 to meta.pageCount' }),
  }
}

/** Returns what a client sends and v1 no longer accepts. */
export function requestLosses(mapping: Operation, seen: Seen): readonly Change[] {
  const parameters = parametersOf(mapping.request)
  return explain(mapping).flatMap((line): Change[] => {
    const { part, legacy, change } = line
    if (part !== 'request' || legacy === null) return []
    if (change === 'lost' && shows(seen.members, legacy)) {
      const calls = countOf(seen.members, legacy)
      return [asChange(line, { change: 'not taken', says: 'v1 does not accept it: leave it out', calls })]
    }
    if (change !== 'removed value' || !shows(seen.removed, legacy)) return []
    const values = (parameters[legacy]?.retired?.values ?? []).join(', ')
    const says = `v1 no longer has ${values}: it answers 422, where the gateway answers as if nothing matched`
    return [asChange(line, { legacy: `${legacy}: ${values}`, says, calls: countOf(seen.removed, legacy) })]
  })
}

/** Whether the client sends a value that v1 still has. */
const isKept = ({ members, removed }: Seen, legacy: string): boolean =>
  countOf(members, legacy) > countOf(removed, legacy)

const isMember = ({ change }: ExplainedLine): boolean =>
  change === 'same' || change === 'renamed' || change === 'converted'

/** Returns lines about all members, if the client sends members that they concern. */
function changesOfAll(line: ExplainedLine, seen: Seen, shown: ShownCall | undefined): readonly Change[] {
  if (line.change !== 'left out') return []
  if (line.says === EMPTY_NOT_SENT || line.says === NULLS_NOT_SENT) {
    const says =
      line.says === EMPTY_NOT_SENT
        ? 'leave it out if it is null or empty: otherwise v1 answers 422'
        : 'leave it out if it is null: otherwise v1 answers 422'
    return Object.entries(seen.empty).map(([legacy, calls]) => asChange(line, { legacy, says, calls }))
  }
  if (seen.other === 0) return []
  const names = shown?.isOwn === true ? shown.dropped : []
  const nameless = names.length > 0 && seen.other > 1 ? '; only those of the call above are known by name' : ''
  const says = `v1 does not list ${names.length === 1 ? 'it: leave it' : 'them: leave them'} out, as the gateway does${nameless}`
  return [asChange(line, { legacy: names.length === 0 ? 'other members' : names.join(', '), says, calls: seen.other })]
}

function memberChange(
  mapping: Operation,
  line: ExplainedLine,
  seen: Seen,
  shown: ShownCall | undefined,
): readonly Change[] {
  const legacy = line.legacy ?? ''
  const parameters = parametersOf(mapping.request)
  const parameter = Object.hasOwn(parameters, legacy) ? parameters[legacy] : undefined
  const moves = parameter !== undefined && mapping.request.kind === 'body-parameters'
  const values = parameter === undefined ? [] : valuesOf(mapping, parameter, legacy, shown)
  if (line.change === 'same' && !moves && values.length === 0) return []
  const isShown = shown === undefined || hasMember(mapping, shown, legacy)
  const says = [
    ...(parameter === undefined && line.says !== null ? [line.says] : values),
    ...(isShown ? [] : ['not in the call above, but in other calls of yours']),
  ]
  const change = [
    ...(line.change === 'same' ? [] : [line.change]),
    ...(moves ? [parameter.in === 'path' ? 'moves into the path' : 'moves into the query'] : []),
  ]
  return [
    asChange(line, {
      change: change.join(', ') || (parameter?.widened === undefined ? 'other values' : 'finds more'),
      says: says.join('; ') || null,
      calls: countOf(seen.members, legacy),
      ...reasonOf(mapping, parameter, line),
    }),
  ]
}

/** Returns the reason that concerns this client: a removed value is listed under what is lost, and only for clients that sent it. */
function reasonOf(
  { request }: Operation,
  parameter: Parameter | undefined,
  { legacy }: ExplainedLine,
): Partial<Change> {
  if (parameter?.retired !== undefined) return documented()
  const stitching = request.kind === 'body-parameters' ? request.stitching : undefined
  return parameter !== undefined && stitching?.paging.perPage === (parameter.v1 ?? legacy)
    ? because(stitching.basis)
    : {}
}

/** Says which values v1 accepts, where they differ from those that legacy accepts. */
function valuesOf({ request }: Operation, parameter: Parameter, legacy: string, shown?: ShownCall): readonly string[] {
  const { reader, v1 = legacy, widened } = parameter
  if (widened !== undefined) return [`in v1, ${widened.reason}: the answer may have more rows`]
  if (reader.by !== undefined) return [reader.by.says]
  if (reader.accepts.type === 'date') return ['v1 takes dates as YYYY-MM-DD only']
  const paging = request.kind === 'body-parameters' ? request.stitching?.paging : undefined
  if (paging?.perPage === v1) return [`at most ${paging.mostPerPage} at v1, so read more pages for more rows`]
  const ownQuery =
    request.kind === 'query-parameters' && shown?.isOwn === true ? new URLSearchParams(shown.query) : undefined
  const sent = ownQuery?.getAll(legacy).at(-1)
  const isUnknown = sent !== undefined && 'leaveOut' in reader.read({ type: 'string', text: sent })
  return [...renamedValues(reader), ...(isUnknown ? [`v1 answers 422 to ${sent}: leave it out`] : [])]
}

function renamedValues({ accepts, read }: Reader): readonly string[] {
  return (accepts.values ?? []).flatMap((value) => {
    const reading = read({ type: 'string', text: value })
    return 'send' in reading && reading.send !== value ? [`${value} becomes ${reading.send}`] : []
  })
}

/** Turns a line into a change. What `as` leaves out is the line's. */
export function asChange(line: ExplainedLine, as: Partial<Change>): Change {
  const { legacy, v1, change, says, basis, reason } = line
  return { legacy, v1, change, says, basis, reason, ...as }
}

/** Whether a call has a value for a member, by the legacy path of its mapping line. */
function hasMember({ request }: Operation, { query, body }: ShownCall, legacy: string): boolean {
  if (request.kind === 'query-parameters') return (new URLSearchParams(query).getAll(legacy).at(-1) ?? '') !== ''
  return body !== undefined && hasValue(JSON.parse(body), legacy.split('.'))
}

function hasValue(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== null && value !== '' && value !== undefined
  const isList = name.endsWith('[]')
  const key = isList ? name.slice(0, -2) : name
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  const inner = (value as Readonly<Record<string, unknown>>)[key]
  if (!isList) return hasValue(inner, rest)
  return Array.isArray(inner) && inner.some((item) => hasValue(item, rest))
}
