import type { Form } from '../../../mapping/corrections/corrections.ts'
import { type Agreement, type Column, MISSING, NULL, UNCLEAR } from './agreement.ts'
import { type EnumTables, hasNames } from './enum-tables.ts'
import { FORMS, keyInForm, keyOfText, MOST_SCALE } from './forms.ts'
import { hashOf } from './hash-value.ts'
import { joinsOf } from './join-texts.ts'
import type { Exception, LearnedPath, LearnedSource } from './learned.ts'
import { isPersonalPath } from './personal.ts'
import type { Container } from './places.ts'

/** What earlier exchanges say about legacy paths. */
export interface Past {
  hadValue(path: string): boolean
  hasNoNames(path: string): boolean
}

/** The most hashes of values of one path. */
const MOST_VALUES = 96
/** Longer constants are not kept; characters. */
const MOST_CONSTANT = 64

/** Returns what the places of a column say about the lines that could explain it. */
export function learnedOf(
  column: Column,
  index: number,
  { legacy: container, chain, legacyChain }: Container,
  agreement: Agreement,
  past: Past,
  enums: EnumTables,
): LearnedPath {
  const sources = column.places > 0 || past.hadValue(column.legacy) ? sourcesOf(index, agreement) : []
  const personalSources = sources.filter((_, at) => agreement.sources.isPersonal[sources[at]?.id as number] === true)
  const isPersonal =
    column.isPersonal || personalSources.some(({ agreed }) => column.places > 0 && 2 * agreed >= column.places)
  const { keys: _keys, names: _names, values, types, ...counts } = column
  const [onlyValue] = values.keys()
  const isShort = values.size === 1 && onlyValue !== undefined && onlyValue.length <= MOST_CONSTANT
  const joins = joinsOf(column, agreement)
  const hidden =
    isPersonal || joins.some(({ parts }) => parts.some((part) => typeof part === 'string' && isPersonalPath(part)))
  return {
    ...{ ...counts, container, around: chain.map((v1, at) => ({ v1, legacy: legacyChain[at] as string })) },
    ...{ types: Object.fromEntries(types), isPersonal: hidden },
    distinct: values.size,
    values: hidden
      ? []
      : [...values]
          .map(([key, times]) => [hashOf(key), times] as const)
          .sort(([one], [other]) => one - other)
          .slice(0, MOST_VALUES),
    sources: sources.map(({ id: _, ...source }) => source),
    joins,
    enums: !hidden && !past.hasNoNames(column.legacy) && hasNames(column) ? enums.of(column) : undefined,
    constant: !hidden && !column.isWhole && isShort ? onlyValue : undefined,
    elsewhere: elsewhere(column, sources, agreement),
    exceptions: hidden ? [] : exceptionsOf(column, sources, agreement),
  }
}

interface NumberedSource extends LearnedSource {
  readonly id: number
}

function sourcesOf(column: number, agreement: Agreement): readonly NumberedSource[] {
  const { places = 0 } = agreement.columns[column] ?? {}
  const { againstNull, againstMissing, nullNull, nullMissing } = agreement
  return agreement.sources.paths.flatMap((v1, id): readonly NumberedSource[] => {
    if (places > 0 && agreement.found.of(column, id) === 0) return []
    const agreed = agreement.agreed.of(column, id)
    const forms: Partial<Record<Form, number>> = {}
    let [neverIn, most] = [0, agreed]
    for (const [bit, form] of FORMS.entries()) {
      const times = agreement.inForm(form, column, id)
      most = Math.max(most, times)
      if (times === 0 && agreed > 0) neverIn |= 1 << bit
      else if (times !== agreed) forms[form] = times
    }
    const scales: Record<number, number> = {}
    const unscaled = agreement.unscaled.of(column, id)
    for (let scale = 1; scale <= MOST_SCALE; scale++) {
      const times = agreement.inScale(scale, column, id)
      most = Math.max(most, times + unscaled)
      if (times > 0) scales[scale] = times
    }
    const withoutValue = {
      ...{ againstNull: againstNull.of(column, id), againstMissing: againstMissing.of(column, id) },
      ...{ nullNull: nullNull.of(column, id), nullMissing: nullMissing.of(column, id) },
    }
    const isFound =
      places > 0 ? most > 0 && 10 * most >= places : Object.values(withoutValue).some((times) => times > 0)
    return isFound ? [{ id, v1, agreed, forms, neverIn, unscaled, scales, ...withoutValue }] : []
  })
}

/**
 * Returns a source that has the same values as a column, each as often, but not in the same items. Then rows are paired wrongly, or their
 * values are shuffled. Looked for only where no source has what legacy has, and the candidate has no such member.
 */
function elsewhere(
  column: Column,
  learned: readonly LearnedSource[],
  { texts, sources, places }: Agreement,
): string | undefined {
  if (column.values.size < 2 || column.isWhole || column.candidateHas > 0) return undefined
  if (learned.some((source) => mostOf(source) === column.places)) return undefined
  const legacy = column.keys.filter(isValue)
  const [first = ''] = legacy
  const sorted = legacy.sort().join('\n')
  const at = texts.findIndex((source) => {
    const others = source.slice(0, places).filter((text) => text !== undefined && isValue(text))
    if (others.length !== legacy.length) return false
    return ([undefined, 'string', 'number'] as const).some((form) => {
      const keys = others.map((text) => (form === undefined ? undefined : keyInForm(form, text)) ?? keyOfText(text))
      return keys.includes(first) && keys.sort().join('\n') === sorted
    })
  })
  return sources.paths[at]
}

/** Returns the most places in which a source agrees in any way. */
const mostOf = ({ agreed, forms, scales, unscaled }: LearnedSource): number =>
  Math.max(agreed, ...Object.values(forms), ...Object.values(scales).map((times) => times + unscaled))

const isValue = (key: string): boolean => key !== NULL && key !== MISSING && key !== UNCLEAR

/** Returns the two commonest places where the best source has another value, if it agrees in most. */
function exceptionsOf(
  column: Column,
  sources: readonly NumberedSource[],
  { texts, places }: Agreement,
): readonly Exception[] {
  const best = sources.reduce<NumberedSource | undefined>(
    (before, source) => (before === undefined || source.agreed > before.agreed ? source : before),
    undefined,
  )
  if (best === undefined || best.agreed === column.places || 2 * best.agreed < column.places) return []
  const found = new Map<string, { legacy: string; v1: string; times: number }>()
  for (let place = 0; place < places; place++) {
    const legacy = column.keys[place] ?? MISSING
    const v1 = texts[best.id]?.[place] ?? MISSING
    if (!isValue(legacy) || keyOfText(v1) === legacy) continue
    const same = found.get(`${legacy}\n${v1}`)
    if (same !== undefined) same.times++
    else if (found.size < MOST_VALUES) found.set(`${legacy}\n${v1}`, { legacy, v1, times: 1 })
  }
  return [...found.values()]
    .sort((one, other) => other.times - one.times)
    .slice(0, 2)
    .map(({ legacy, v1, times }) => ({ legacy: hashOf(legacy), v1: hashOf(v1), times }))
}
