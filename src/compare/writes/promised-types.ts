import type { Type } from '../../mapping/converter.ts'
import { timestampConverter } from '../../mapping/converter.ts'
import type { ResponseMapping } from '../../mapping/operation.ts'
import type { FieldRule } from '../../mapping/shape.ts'
import type { Budget } from '../diff/budget.ts'
import { type ExactNumber, isWhole } from '../diff/decimal.ts'
import { type Comparison, Findings } from '../diff/difference.ts'
import { type JsonValue, typeOf } from '../diff/json-value.ts'
import { itemsPath } from '../diff/path.ts'
import { type Member, walkItems, walkShape } from './walk-shape.ts'

/** Finds the members of a legacy success whose type is not the one in their lines: `string → integer`. */
export function typeFindings(response: ResponseMapping, json: JsonValue, budget: Budget): Comparison {
  const findings = new Findings('answer')
  const check = ({ path, value, rule }: Member): void => {
    if (rule?.kind === 'field' && !(value === null && rule.nullable)) addUnlessOf(findings, path, value, typeIn(rule))
  }
  if (response.kind === 'record') {
    addUnlessOf(findings, '', json, 'object')
    walkShape(response.shape, json, '', budget, check)
  }
  if (response.kind === 'list') {
    addUnlessOf(findings, '', json, 'array')
    walkItems(response.shape, json, '', budget, check)
  }
  return findings.comparison()
}

const typeIn = ({ type, value }: FieldRule): Type | undefined =>
  value.kind === 'converted' && value.by === timestampConverter ? 'timestamp' : type

function addUnlessOf(findings: Findings, path: string, value: JsonValue, type: Type | undefined): void {
  if (type === undefined) return
  if (type === 'array of string') {
    addUnlessOf(findings, path, value, 'array')
    if (!Array.isArray(value)) return
    for (const item of value as readonly JsonValue[]) addUnlessOf(findings, itemsPath(path), item, 'string')
    return
  }
  if (isOf(value, type)) return
  const is = type === 'int' && isNumber(value) ? 'fraction' : typeOf(value)
  findings.add({ kind: 'type', path, control: value, detail: `${is} → ${NAMES[type]}` })
}

/** The types as the details of other differences name them. */
const NAMES: Readonly<Record<Exclude<Type, 'array of string'>, string>> = {
  ...{ int: 'integer', number: 'number', string: 'string', bool: 'boolean' },
  ...{ timestamp: 'timestamp', object: 'object', array: 'array' },
}

const isNumber = (value: JsonValue): value is number | ExactNumber => typeOf(value) === 'number'

function isOf(value: JsonValue, type: Exclude<Type, 'array of string'>): boolean {
  const is = typeOf(value)
  if (type === 'int') return isNumber(value) && isWhole(value)
  if (type === 'timestamp') return is === 'string' && timestampConverter.toV1(JSON.stringify(value)) !== undefined
  return is === NAMES[type]
}
