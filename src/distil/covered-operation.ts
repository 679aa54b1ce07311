import type { LineToSee, Showing } from '../compare/coverage/line-to-see.ts'
import { linesToSee } from '../compare/coverage/lines-to-see.ts'
import { type SentRequest, sentMembers } from '../compare/coverage/sent-members.ts'
import { type Segment, segmentsOf } from '../compare/diff/path.ts'
import { bodyLinesOf, type MappingLine } from '../compare/expected/mapping-lines.ts'
import { type Operation, parametersOf } from '../mapping/operation.ts'
import { type MemberTable, memberTable } from './member-table.ts'
import { atMost } from './path-shape.ts'

/** An operation, prepared to find what its exchanges cover. */
export interface CoveredOperation {
  readonly id: string
  readonly toSee: readonly LineToSee[]
  sentIn(request: SentRequest): Showing['isSent']
  /** Whether its request is a query rather than a body. */
  readonly readsQuery: boolean
  /** The places in its bodies. */
  readonly request: MemberTable
  readonly answer: MemberTable
  readonly error: MemberTable
  /** Members of the request whose values the mapping lists, with these values. */
  readonly named: readonly {
    readonly legacy: string
    readonly segments: readonly Segment[]
    readonly values: ReadonlySet<string>
  }[]
  /** Returns a violation's name, or `other` beyond the bound. */
  violation(propertyPath: string): string
}

/** The most members that violations name; all further ones are `other`. */
const MOST_VIOLATIONS = 100
/** Matches the name of a member, but no sentence or value. */
const PROPERTY = /^[A-Za-z_][\w.[\]-]{0,127}$/
const INDEX = /\[\d+\]/g

/** Prepares an operation. @param lines the lines that explain it. */
export function coveredOperation(mapping: Operation, lines: readonly MappingLine[]): CoveredOperation {
  const { request } = mapping
  const pathsOf = (part: string): readonly string[] => bodyLinesOf(lines, part).map(({ legacy }) => legacy)
  const parameters = Object.entries(parametersOf(request))
  const violation = atMost(MOST_VIOLATIONS, 'other')
  return {
    id: mapping.id,
    toSee: linesToSee(mapping, lines),
    sentIn: (sent) => sentMembers(request, sent),
    readsQuery: request.kind === 'query-parameters',
    request: memberTable([...pathsOf('request'), ...parameters.map(([name]) => name)]),
    answer: memberTable(pathsOf('answer')),
    error: memberTable(pathsOf('error')),
    named: parameters.flatMap(([legacy, { reader, retired }]) => {
      const values = new Set([...(reader.accepts.values ?? []), ...(retired?.values ?? [])])
      return values.size === 0 ? [] : [{ legacy, segments: segmentsOf(legacy), values }]
    }),
    violation: (path) => violation(PROPERTY.test(path) ? path.replaceAll(INDEX, '[]') : 'other'),
  }
}
