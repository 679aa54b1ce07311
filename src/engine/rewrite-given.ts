import type { Converter } from '../mapping/converter.ts'
import type { Operation } from '../mapping/operation.ts'
import { type FieldRule, object, type Shape, same, shape } from '../mapping/shape.ts'
import { valuePlan } from './compile/compile.ts'
import { JsonError } from './json/scan-json.ts'
import { startOfText } from './json/walk-json.ts'
import { Rewriter } from './rewrite/rewrite.ts'
import type { LegacyInput } from './translate-request.ts'

/**
 * Returns the value that a service gave for `value`, both as texts without quotes. `what` is the kind of the value
 * (`givenByService`). Undefined: none is known.
 */
export type LookUpGiven = (what: string, value: string) => string | undefined

/** Replaces the values of a request that a service gave in an earlier answer. Everything else keeps its bytes. */
export type RewriteGiven = (input: LegacyInput, lookUp: LookUpGiven) => LegacyInput

/** Compiles the rewriting of an operation's requests. Undefined if none of their lines takes a value that a service gave. */
export function givenRewriter({ request }: Pick<Operation, 'request'>): RewriteGiven | undefined {
  let current: LookUpGiven = () => undefined
  /** Keeps the form in which the request writes the value: some programs send an id as text. */
  const converterOf = (what: string): Converter => {
    const conversion = (text: string): string | undefined => {
      const isText = text.startsWith('"')
      const given = current(what, isText ? (JSON.parse(text) as string) : text)
      return given === undefined || !isText ? given : JSON.stringify(given)
    }
    return { says: '', samples: [{ legacy: '0', v1: '0' }], toV1: conversion, toLegacy: conversion }
  }
  const taken = takenIn(request, converterOf)
  if (taken === undefined) return undefined
  if (request.kind === 'query-parameters') {
    const { parameters } = request
    return ({ query, body }, lookUp) => {
      const rewritten = new URLSearchParams(query)
      let isChanged = false
      for (const [name, value] of new URLSearchParams(query)) {
        const what = Object.hasOwn(parameters, name) ? parameters[name]?.givenByService : undefined
        const given = what === undefined ? undefined : lookUp(what, value)
        if (given === undefined) continue
        rewritten.set(name, given)
        isChanged = true
      }
      return { query: isChanged ? rewritten.toString() : query, body }
    }
  }
  const plan = valuePlan({ kind: 'object', shape: taken }, 'toV1')
  return ({ query, body }, lookUp) => {
    current = lookUp
    try {
      const rewriter = new Rewriter(body, body.length)
      rewriter.value(plan, startOfText(body))
      return { query, body: rewriter.finish() }
    } catch (error) {
      // A request that is not JSON holds no such value.
      if (error instanceof JsonError) return { query, body }
      throw error
    }
  }
}

type ConverterOf = (what: string) => Converter

/** Returns a shape that converts the members that take such a value, and passes all others. Undefined: no member takes one. */
function takenIn(request: Operation['request'], converterOf: ConverterOf): Shape | undefined {
  if (request.kind === 'body') return takenOf(request.shape, converterOf)
  if (request.kind === 'pass-through') return undefined
  const rules = Object.entries(request.parameters).map(([path, { givenByService }]) => [
    path,
    givenByService === undefined ? same() : { ...same(), givenByService },
  ])
  return takenOf(shape('', Object.fromEntries(rules)), converterOf)
}

/** A line by the names of its path. */
type Taken = readonly [names: readonly string[], rule: FieldRule]

function takenOf({ rules }: Shape, converterOf: ConverterOf): Shape | undefined {
  const taken = Object.entries(rules).flatMap(([path, rule]): readonly Taken[] => {
    if (rule.kind !== 'field') return []
    const { givenByService: what, value } = rule
    const names = path.split('.')
    if (what !== undefined) return [[names, { ...same(), value: { kind: 'converted', by: converterOf(what) } }]]
    const inner = 'shape' in value ? takenOf(value.shape, converterOf) : undefined
    return inner === undefined || !('shape' in value) ? [] : [[names, { ...same(), value: { ...value, shape: inner } }]]
  })
  return taken.length === 0 ? undefined : nested(taken)
}

/** Builds a shape in which every object has a shape of its own, so that its other members stay in place. */
function nested(taken: readonly Taken[]): Shape {
  const names = [...new Set(taken.map(([[name = '']]) => name))]
  const ruleOf = (name: string): FieldRule => {
    const within = taken.filter(([[first]]) => first === name)
    const own = within.find(([path]) => path.length === 1)
    return own?.[1] ?? object(nested(within.map(([[, ...rest], rule]) => [rest, rule])))
  }
  return shape('', Object.fromEntries(names.map((name) => [name, ruleOf(name)])))
}
