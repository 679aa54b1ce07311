import { pathOf } from '../../common/json-path.ts'
import type { Type } from '../converter.ts'
import type { Rule } from '../shape.ts'
import { isScalar } from './corrected-rule.ts'
import type { Draft } from './place-lines.ts'

/** Whether a dotted path is that of a member, or of one beneath it. */
export const isWithin = (path: string, member: string): boolean => path === member || path.startsWith(`${member}.`)

/** Says a type in brackets; nothing if the mapping does not say it. */
export const typeInWords = (type: Type | undefined): string => (type === undefined ? '' : ` (${type})`)

/** The v1 path of a rule within its object; none if it reads none, or from around the object. */
export const sourceOf = (member: string, rule: Rule): readonly string[] =>
  rule.kind === 'field' && rule.anchor === undefined ? [rule.v1 ?? member] : []

/** Refuses lines that read or write beneath a single value of v1. */
export function refuseContradictions({ rules, placed, place, context }: Draft): void {
  for (const [key, path] of placed) {
    const [v1] = sourceOf(key, rules.get(key) as Rule)
    if (v1 === undefined) continue
    for (const [other, rule] of rules) {
      const [theirs] = other === key ? [] : sourceOf(other, rule)
      if (theirs === undefined) continue
      const where = pathOf([...place.v1, ...theirs.split('.')])
      const isSingle = rule.kind === 'field' && (rule.value.kind === 'converted' || isScalar(rule.type))
      if (isSingle && !placed.has(other) && v1.startsWith(`${theirs}.`))
        context.refuse(
          path,
          `${context.part === 'response' ? 'from' : 'to'}: ${where} is a single value${typeInWords(rule.type)} in the mapping, so nothing is beneath it`,
        )
    }
  }
}

/** Refuses lines of an object's members where another line makes it a list. */
export function refuseListAndObject({ rules, placed, place, context }: Draft): void {
  for (const [key, path] of placed) {
    const names = key.split('.')
    const list = names.slice(1).flatMap((_, at) => {
      const above = names.slice(0, at + 1).join('.')
      return rules.has(above) ? [pathOf([...place.legacy, ...above.split('.')])] : []
    })[0]
    if (list !== undefined) context.refuse(path, `${list} is a list in one line and an object in another`)
  }
}

/** Refuses lines that read a part of what is dropped, or the whole of what is dropped in part. */
export function refuseHalfDropped({ rules, v1Only, placed, dropped, place, context }: Draft): void {
  for (const [member, rule] of rules) {
    const [read] = sourceOf(member, rule)
    const half = [...v1Only.keys()].find(
      (left) => read !== undefined && left !== read && (isWithin(left, read) || isWithin(read, left)),
    )
    if (read === undefined || half === undefined) continue
    const line = placed.get(member) ?? dropped.get(half)
    const written = (path: string): string => pathOf([...place.v1, ...path.split('.')])
    if (line !== undefined)
      context.refuse(
        line,
        `${written(half)} is left out, and ${pathOf([...place.legacy, ...member.split('.')])} reads ${written(read)}; drop or read its members one by one`,
      )
  }
}
