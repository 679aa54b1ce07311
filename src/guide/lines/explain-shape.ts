import type { ContextSource, Rule, Shape } from '../../mapping/shape.ts'
import { assumed, because, documented, type ExplainedLine, explainedLine } from './explained-line.ts'

/** The path of an object on both sides, from the roots of the bodies. Empty for a root. */
interface Place {
  readonly legacy: string
  readonly v1: string
}

/** The part of a call that a shape is described for: what may be sent, or what is answered. */
export type Part = 'request' | 'answer'

/**
 * Explains the members of an object. If the object treats unlisted members differently from the object around it, a
 * line says so, which also holds for the objects within.
 */
export function explainShape(shape: Shape, part: Part, place: Place, around?: Shape): readonly ExplainedLine[] {
  return [
    ...(around?.closed === shape.closed ? [] : [othersLine(shape, part, place, around)]),
    ...Object.entries(shape.rules).flatMap(([path, rule]) => explainRule(path, rule, shape, part, place)),
    ...Object.entries(shape.v1Only).map(([path, reason]) =>
      explainedLine(part, [null, beneath(place.v1, path)], 'added in v1', null, documented(reason)),
    ),
  ]
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
  if (closed) return { part, ...place, change: 'left out', ...OTHERS[part].closed }
  const line: ExplainedLine = { part, ...place, change: 'passed on', ...OTHERS[part].open }
  return part === 'answer' || around === undefined
    ? line
    : { ...line, ...assumed('an object that is sent is sent with all its members') }
}

function explainRule(path: string, rule: Rule, around: Shape, part: Part, place: Place): readonly ExplainedLine[] {
  const legacy = beneath(place.legacy, path)
  if (rule.kind === 'lost') {
    const fate = part === 'answer' ? 'answered as null' : 'not sent'
    const says = rule.basis.kind === 'assumed' ? `${fate} (${rule.basis.reason})` : fate
    return [explainedLine(part, [legacy, null], 'lost', says, { basis: 'lost', reason: rule.reason })]
  }
  if (rule.kind === 'context') {
    const converter = rule.value.kind === 'converted' ? `; ${rule.value.by.says}` : ''
    const says = `${sourceInWords(rule.source)}${converter}`
    return [explainedLine(part, [legacy, null], 'filled in', says, because(rule.basis))]
  }
  const v1 = beneath(place.v1, rule.v1 ?? path)
  const { value } = rule
  const isRenamed = rule.v1 !== undefined && rule.v1 !== path
  const line =
    value.kind === 'converted'
      ? explainedLine(part, [legacy, v1], 'converted', value.by.says, because(rule.basis))
      : explainedLine(part, [legacy, v1], isRenamed ? 'renamed' : 'same', null, because(rule.basis))
  if (value.kind === 'object') return [line, ...explainShape(value.shape, part, { legacy, v1 }, around)]
  if (value.kind === 'list') {
    return [line, ...explainShape(value.shape, part, { legacy: `${legacy}[]`, v1: `${v1}[]` }, around)]
  }
  return [line]
}

const beneath = (place: string, path: string): string => (place === '' ? path : `${place}.${path}`)

function sourceInWords(source: ContextSource): string {
  return source.from === 'reference'
    ? `${source.take} of the ${source.list} record whose ${source.match} equals v1’s ${source.sibling}`
    : `${source.take} of the row at the same position in the request’s ${source.list}`
}
