import type { ContextSource, Rule, Shape } from '../../mapping/shape.ts'
import { assumed, because, documented, type ExplainedLine } from './explain-line.ts'

/** Where an object is on both sides, from the roots of the bodies; the empty text is a root. */
export interface Place {
  readonly legacy: string
  readonly v1: string
}

type Part = 'request' | 'answer'

/**
 * Explains the members of an object. Whether others pass is said where an object differs in it from the one around it, and
 * holds within it.
 */
export function explainShape(shape: Shape, part: Part, place: Place, around?: Shape): readonly ExplainedLine[] {
  return [
    ...(around?.closed === shape.closed ? [] : [othersLine(shape, part, place, around)]),
    ...Object.entries(shape.rules).flatMap(([path, rule]) => explainRule(path, rule, shape, part, place)),
    ...Object.entries(shape.v1Only).map(
      ([path, reason]): ExplainedLine => ({
        part,
        legacy: null,
        v1: beneath(place.v1, path),
        change: 'added in v1',
        says: null,
        ...documented(reason),
      }),
    ),
  ]
}

const OTHERS = {
  answer: {
    closed: {
      says: 'only what is listed here is answered',
      ...documented('the contract lists the legacy members whole'),
    },
    open: {
      says: 'what is not listed here is answered as v1 has it',
      ...assumed('the contract does not list the legacy members whole; it names no other difference'),
    },
  },
  request: {
    closed: {
      says: 'only what is listed here is sent; the rest is named in the header X-Gateway-Dropped',
      ...assumed('the contract lists v1’s members whole, and does not show what v1 does with others'),
    },
    open: {
      says: 'what is not listed here is sent as it is',
      ...assumed('the contract does not list v1’s members whole; it names no other difference'),
    },
  },
} as const

function othersLine({ closed }: Shape, part: Part, place: Place, around: Shape | undefined): ExplainedLine {
  if (closed) return { part, ...place, change: 'left out', ...OTHERS[part].closed }
  const line: ExplainedLine = { part, ...place, change: 'passed on', ...OTHERS[part].open }
  return part === 'answer' || around === undefined ? line : { ...line, ...assumed('what is sent is sent whole') }
}

function explainRule(path: string, rule: Rule, around: Shape, part: Part, place: Place): readonly ExplainedLine[] {
  const legacy = beneath(place.legacy, path)
  if (rule.kind === 'lost') {
    const fate = part === 'answer' ? 'answered as null' : 'not sent'
    const says = rule.basis.kind === 'assumed' ? `${fate} (${rule.basis.reason})` : fate
    return [{ part, legacy, v1: null, change: 'lost', says, basis: 'lost', reason: rule.reason }]
  }
  if (rule.kind === 'context') {
    const converter = rule.value.kind === 'converted' ? `; ${rule.value.by.says}` : ''
    const says = `${sourceInWords(rule.source)}${converter}`
    return [{ part, legacy, v1: null, change: 'filled in', says, ...because(rule.basis) }]
  }
  const v1 = beneath(place.v1, rule.v1 ?? path)
  const { value } = rule
  const converted = value.kind === 'converted'
  const renamed = rule.v1 !== undefined && rule.v1 !== path
  const line: ExplainedLine = {
    part,
    legacy,
    v1,
    change: converted ? 'converted' : renamed ? 'renamed' : 'same',
    says: converted ? value.by.says : null,
    ...because(rule.basis),
  }
  if (value.kind === 'object') return [line, ...explainShape(value.shape, part, { legacy, v1 }, around)]
  if (value.kind === 'list') {
    return [line, ...explainShape(value.shape, part, { legacy: `${legacy}[]`, v1: `${v1}[]` }, around)]
  }
  return [line]
}

const beneath = (place: string, path: string): string => (place === '' ? path : `${place}.${path}`)

function sourceInWords(source: ContextSource): string {
  return source.from === 'reference'
    ? `${source.take} of the ${source.list} record whose ${source.match} is ${source.sibling}`
    : `${source.take} of the request's row at the same place in ${source.list}`
}
