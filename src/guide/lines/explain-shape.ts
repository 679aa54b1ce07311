import type { ContextSource, Rule, Shape } from '../../mapping/shape.ts'
import { beneath, partPath, placeWithin, rowAt, type V1Place, v1PathOf } from '../../mapping/v1-place.ts'
import {
  assumed,
  type Because,
  because,
  corrected,
  documented,
  type ExplainedLine,
  explainedLine,
} from './explained-line.ts'

/** Where an object is on both sides, from the roots of the bodies. */
interface Place {
  readonly legacy: string
  readonly v1: V1Place
}

/** The place of a record or row; empty paths for a root. */
export const placeOf = (legacy: string, v1: string): Place => ({ legacy, v1: rowAt(v1) })

/** The part of a call that a shape is described for: what may be sent, or what is answered. */
export type Part = 'request' | 'answer'

/**
 * Explains the members of an object. If the object treats unlisted members differently from the object around it, a
 * line says so, which also holds for the objects within.
 */
export function explainShape(shape: Shape, part: Part, place: Place, around?: Shape): readonly ExplainedLine[] {
  const lines = [
    ...(around?.closed === shape.closed ? [] : [othersLine(shape, part, place, around)]),
    ...Object.entries(shape.rules).flatMap(([path, rule]) => explainRule(path, rule, shape, part, place)),
    ...Object.entries(shape.v1Only).map(([path, reason]) =>
      explainedLine(part, [null, beneath(place.v1.here, path)], 'added in v1', null, documented(reason)),
    ),
  ]
  // Lines of objects within have named their own.
  return lines.map((line) => (line.shape === undefined ? { ...line, shape: shape.name } : line))
}

const OTHERS = {
  answer: {
    closed: {
      says: 'only listed members are answered',
      ...documented('the contract lists all legacy members'),
    },
    open: {
      says: 'unlisted members are answered as in v1',
      ...assumed('the contract does not list all legacy members, and names no other difference'),
    },
  },
  request: {
    closed: {
      says: 'only listed members are sent; the header X-Gateway-Dropped names the others',
      ...assumed('the contract lists all v1 members, and does not show what v1 does with others'),
    },
    open: {
      says: 'unlisted members are sent unchanged',
      ...assumed('the contract does not list all v1 members, and names no other difference'),
    },
  },
} as const

function othersLine({ closed }: Shape, part: Part, place: Place, around: Shape | undefined): ExplainedLine {
  const paths = { legacy: place.legacy, v1: place.v1.here }
  if (closed) return { part, ...paths, change: 'left out', ...OTHERS[part].closed }
  const line: ExplainedLine = { part, ...paths, change: 'passed on', ...OTHERS[part].open }
  return part === 'answer' || around === undefined
    ? line
    : { ...line, ...assumed('an object that is sent is sent with all its members') }
}

function explainRule(path: string, rule: Rule, around: Shape, part: Part, place: Place): readonly ExplainedLine[] {
  const legacy = beneath(place.legacy, path)
  if (rule.kind === 'lost') {
    const fate = part === 'answer' ? 'answered as null' : 'not sent'
    const says = rule.basis.kind === 'assumed' ? `${fate} (${rule.basis.reason})` : fate
    const because: Because =
      rule.basis.kind === 'corrected' ? corrected(rule.basis, rule.reason) : { basis: 'lost', reason: rule.reason }
    return [explainedLine(part, [legacy, null], 'lost', says, because)]
  }
  if (rule.kind === 'context') {
    const converter = rule.value.kind === 'converted' ? `; ${rule.value.by.says}` : ''
    const says = `${sourceInWords(rule.source, place.v1)}${converter}`
    return [explainedLine(part, [legacy, null], 'filled in', says, because(rule.basis))]
  }
  const v1 = v1PathOf(path, rule, place.v1)
  const { value, absent } = rule
  const isRenamed = rule.anchor !== undefined || (rule.v1 !== undefined && rule.v1 !== path)
  const change = value.kind === 'converted' ? 'converted' : isRenamed ? 'renamed' : 'same'
  const says = [
    ...(value.kind === 'converted' ? [value.by.says] : []),
    ...(absent === undefined ? [] : [ABSENT[absent]]),
  ]
  const line = explainedLine(
    part,
    [legacy, v1],
    change,
    says.length === 0 ? null : says.join('; '),
    because(rule.basis),
  )
  const within = placeWithin(rule, v1, place.v1)
  if (within === undefined || !('shape' in value)) return [line]
  const inner = { legacy: value.kind === 'list' ? `${legacy}[]` : legacy, v1: within }
  return [line, ...explainShape(value.shape, part, inner, around)]
}

const ABSENT = {
  null: 'null where v1 has no such member',
  missing: 'left out where v1 has null',
} as const

function sourceInWords(source: ContextSource, place: V1Place): string {
  switch (source.from) {
    case 'reference':
      return `${source.take} of the ${source.list} record whose ${source.match} equals v1’s ${source.sibling}`
    case 'request-row':
      return `${source.take} of the row at the same position in the request’s ${source.list}`
    case 'constant':
      return `always ${source.json}`
    case 'join': {
      const parts = source.parts.map((part) => ('text' in part ? JSON.stringify(part.text) : partPath(part, place)))
      return `put together from ${parts.join(' and ')}; null if a value is missing`
    }
  }
}
