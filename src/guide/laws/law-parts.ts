import { covers, itemsPath, memberPath } from '../../common/json-path.ts'
import { valuePlan } from '../../engine/compile/compile.ts'
import { errorPathTranslator } from '../../engine/error-path.ts'
import { rewritten } from '../../engine/round-trip.ts'
import { requestTranslator } from '../../engine/translate-request.ts'
import { convert } from '../../mapping/converter.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Parameter, RequestMapping } from '../../mapping/request.ts'
import type { Shape } from '../../mapping/shape.ts'
import { isObject, objectOf, type Side, sampleOf } from '../examples/samples.ts'
import { sentAs, valuesInPath } from '../examples/translated.ts'
import { answerParts } from '../lines/answer-parts.ts'
import { placeOf } from '../lines/explain-shape.ts'
import {
  type DeclaredLoss,
  linesWithin,
  lossAt,
  lossesOfNulls,
  lossesOfParameter,
  type MappedMember,
} from './law-lines.ts'
import { fillingOf, parameterOf, type Random, UNLISTED } from './law-values.ts'

/** A part of a call that is translated: the request, or a part of the answer. */
export interface LawPart {
  readonly part: 'request' | 'answer'
  /** Where its value is in the bodies of both sides. */
  readonly at: Readonly<Record<Side, string>>
  readonly declared: readonly DeclaredLoss[]
  /** Makes up a value of one side. */
  make(side: Side, random: Random): unknown
  /** Translates a value of one side for the other. Throws if it cannot be translated. */
  translate(from: Side, value: unknown): unknown
}

/** Returns the parts of a mapping that hold values. Empty if v1 has no equivalent. */
export const lawParts = (operation: Operation): readonly LawPart[] =>
  operation.v1 === undefined ? [] : [...requestParts(operation), ...answerPartsOf(operation)]

function requestParts(operation: Operation): readonly LawPart[] {
  const { request } = operation
  if (request.kind === 'pass-through') return []
  if (request.kind !== 'body') return [parametersPart(operation, request)]
  const translate = requestTranslator(operation)
  const part = shapePart('request', request.shape, { legacy: '', v1: '' }, false)
  return [
    {
      ...part,
      declared: [...part.declared, ...lossesOfNulls(operation)],
      translate: (from, value) =>
        from === 'v1'
          ? part.translate(from, value)
          : parsed(callOf(translate({ query: '', body: bytesOf(value) })).body ?? bytesOf({})),
    },
  ]
}

const answerPartsOf = ({ response }: Operation): readonly LawPart[] =>
  answerParts(response).map(({ legacy, v1, shape, isList }) => shapePart('answer', shape, { legacy, v1 }, isList))

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const parsed = (json: Uint8Array): unknown => JSON.parse(Buffer.from(json).toString())

function shapePart(part: LawPart['part'], shape: Shape, at: LawPart['at'], isList: boolean): LawPart {
  const paths = isList ? { legacy: itemsPath(at.legacy), v1: itemsPath(at.v1) } : at
  const { members, losses } = linesWithin(shape, part, placeOf(paths.legacy, paths.v1))
  const value = { kind: isList ? 'list' : 'object', shape } as const
  const plans = { legacy: valuePlan(value, 'toV1'), v1: valuePlan(value, 'toLegacy') }
  const mapped = { legacy: membersAt(members, 'legacy'), v1: membersAt(members, 'v1') }
  return {
    ...{ part, at, declared: losses },
    make(side, random) {
      const filling = fillingOf(random)
      const row = (): unknown => thinned(sampleOf(shape, side, filling), paths[side], mapped[side], random)
      return isList ? filling.rows(row) : row()
    },
    translate: (from, value) => parsed(rewritten(plans[from], bytesOf(value))),
  }
}

/** The members of one side, by path. */
interface Members {
  readonly nullable: ReadonlySet<string>
  readonly promised: readonly string[]
}

function membersAt(members: readonly MappedMember[], side: Side): Members {
  const here = members.filter((member) => member.side === side)
  return {
    nullable: new Set(here.flatMap(({ path, canBeNull }) => (canBeNull ? [path] : []))),
    promised: here.flatMap(({ path, isPromised }) => (isPromised ? [path] : [])),
  }
}

/** Leaves out some members of an object, unless v1 promises them, and makes some null that may be. */
function thinned(value: unknown, path: string, members: Members, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => thinned(item, itemsPath(path), members, random))
  if (!isObject(value)) return value
  const left = Object.entries(value).flatMap(([name, inner]) => {
    const at = memberPath(path, name)
    const isPromised = members.promised.some((promised) => covers(at, promised))
    const chance = random()
    if (!isPromised && chance < LEFT_OUT) return []
    if (!isPromised && chance < LEFT_OUT + NULL && members.nullable.has(at)) return [[name, null]]
    const thin = thinned(inner, at, members, random)
    return isObject(thin) && Object.keys(thin).length === 0 ? [] : [[name, thin]]
  })
  return Object.fromEntries(left)
}

const LEFT_OUT = 0.1
const NULL = 0.1

type ParametersMapping = RequestMapping & { readonly parameters: Readonly<Record<string, Parameter>> }

/** The values of parameters are compared as the texts that v1 gets. */
function parametersPart(operation: Operation, request: ParametersMapping): LawPart {
  const translate = requestTranslator(operation)
  const legacyPath = errorPathTranslator(operation)
  const parameters = Object.entries(request.parameters)
  const byPath = new Map(parameters)
  const paging = 'stitching' in request ? request.stitching?.paging : undefined
  const isRequired = ([path, { in: place, v1 = path }]: (typeof parameters)[number]): boolean =>
    place === 'path' || v1 === paging?.page || v1 === paging?.perPage
  const toV1 = (value: unknown): unknown => {
    const members = request.kind === 'query-parameters' ? value : typed(value)
    const { query, body } = sentAs(operation, members as object)
    const call = callOf(translate({ query, body: bytesOf(body ?? {}) }))
    const pages = call.page && {
      [call.page.paging.page]: String(call.page.page),
      [call.page.paging.perPage]: String(call.page.perPage),
    }
    const inPath = valuesInPath(operation.v1?.path ?? '', call)
    return { ...Object.fromEntries(new URLSearchParams(call.query)), ...pages, ...inPath }
  }
  const makeLegacy = (random: Random): unknown =>
    objectOf([
      ...parameters
        .filter((entry) => isRequired(entry) || random() < 0.5)
        .map(([path, parameter]): [string, unknown] => [path, String(parameterOf(parameter, random))]),
      ...(random() < 0.5 ? [[UNLISTED, 'x'] as const] : []),
    ])
  return {
    part: 'request',
    at: { legacy: '', v1: '' },
    declared: [
      ...parameters.flatMap(([path, parameter]) => lossesOfParameter(path, parameter)),
      lossAt('legacy', UNLISTED, 'only listed members are sent'),
    ],
    make: (side, random) => (side === 'legacy' ? makeLegacy(random) : toV1(makeLegacy(random))),
    translate: (from, value) =>
      from === 'legacy'
        ? toV1(value)
        : objectOf(
            Object.entries(value as Readonly<Record<string, string>>).map(([name, text]) => {
              const path = legacyPath(name)
              return [path, legacyValue(byPath.get(path), text)]
            }),
          ),
  }
}

/** Returns the legacy value of what v1 gets for a parameter. */
function legacyValue(parameter: Parameter | undefined, text: string): string {
  const { renamed = {}, by } = parameter?.reader ?? {}
  const name = Object.keys(renamed).find((legacy) => renamed[legacy] === text)
  const converted = by && (convert(by.toLegacy, JSON.stringify(text)) ?? convert(by.toLegacy, text))
  return name ?? (converted === undefined ? text : String(JSON.parse(converted)))
}

/** Writes numbers and booleans in a body as such. */
function typed(value: unknown): unknown {
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typed(inner)]))
  return /^(0|[1-9]\d{0,14}|true|false)$/.test(String(value)) ? JSON.parse(String(value)) : value
}

function callOf({ call, violations }: ReturnType<ReturnType<typeof requestTranslator>>) {
  if (call !== undefined) return call
  throw new Error(violations.map(({ path, message }) => `the gateway refuses ${path}: ${message}`).join('; '))
}
