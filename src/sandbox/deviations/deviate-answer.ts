import type { Outcome } from '../faces/service-operation.ts'
import type { FaceName } from '../service.ts'
import { type AnswerDeviation, type Change, v1PathsOf } from './answer-lines.ts'
import type { Deviation } from './deviation-file.ts'
import { isAbsent, legacyTime, makeUp, toLegacy, toV1 } from './line-conversion.ts'
import {
  canSet,
  isMembers,
  type LinePath,
  listsOf,
  type Members,
  memberOf,
  removeAt,
  setAt,
  valueAt,
  writePath,
} from './line-path.ts'

/** A row, a record or an item within it, as both interfaces show it. */
interface Sides {
  readonly legacy: Members
  readonly v1: Members
  /** Tells it apart from others, for values that are made up. */
  readonly seed: string
}

/** A place of a line: the row, the item of its list that leads there, and so on. */
type Place = readonly [row: Sides, ...items: Sides[]]

/** Returns an outcome that both interfaces show with these deviations. */
export function deviateAnswer(outcome: Outcome, deviation: Deviation): Outcome {
  if (outcome.kind === 'done' || deviation.answers.length === 0) return outcome
  const shownIn = (face: FaceName, legacy: object, v1: object) => deviate(sidesOf(legacy, v1), deviation)[face]
  if (outcome.kind === 'record') {
    return { ...outcome, recordIn: (face) => shownIn(face, outcome.recordIn('legacy'), outcome.recordIn('v1')) }
  }
  return {
    ...outcome,
    itemsIn(face) {
      const v1 = outcome.itemsIn('v1')
      return outcome.itemsIn('legacy').map((row, index) => shownIn(face, row, v1[index] ?? {}))
    },
  }
}

/** Copies what both interfaces show, as parsed JSON. */
function sidesOf(legacy: object, v1: object): Sides {
  const copyOf = (value: object) => JSON.parse(JSON.stringify(value)) as Members
  const copy = copyOf(v1)
  return { legacy: copyOf(legacy), v1: copy, seed: JSON.stringify(copy.id ?? copy) }
}

function deviate(row: Sides, deviation: Deviation): Sides {
  for (const line of deviation.answers) {
    const member = memberOf(line.legacy)
    for (const place of placesOf(row, line)) {
      const { legacy } = innermost(place)
      if (!canSet(legacy, member)) continue
      const value = legacyValue(line, place)
      if (value === undefined) removeAt(legacy, member)
      else setAt(legacy, member, value)
      hideRead(line, deviation, place)
    }
  }
  return row
}

/** Finds the places of a line in a row: one, or as many as the lists on the way have items. */
function placesOf(row: Sides, { legacy, contract }: AnswerDeviation): readonly Place[] {
  return listsOf(legacy).reduce<readonly Place[]>(
    (places, names, depth) =>
      places.flatMap((place) => {
        const around = innermost(place)
        const items = itemsAt(around.legacy, names)
        const itemsOfV1 = itemsAt(around.v1, contract[depth] ?? [])
        return items.flatMap((item, index): Place[] => {
          const v1 = itemsOfV1[index]
          if (!isMembers(item) || !isMembers(v1)) return []
          return [[...place, { legacy: item, v1, seed: `${around.seed} ${index}` }]]
        })
      }),
    [[row]],
  )
}

const innermost = (place: Place): Sides => place.at(-1) ?? place[0]

/** Returns the row or item that a path of v1 begins in. It may be around the place. */
const around = (place: Place, v1: LinePath): Sides => place[v1.length - 1] ?? place[0]

function itemsAt(object: Members, names: readonly string[]): readonly unknown[] {
  const list = valueAt(object, names)
  return Array.isArray(list) ? list : []
}

/** Changes v1 as a line says. Returns what legacy shows; undefined: no such member. */
function legacyValue(line: AnswerDeviation, place: Place): unknown {
  const { change, contract, legacy, stays } = line
  const inner = innermost(place)
  const byContract = memberOf(contract)
  const inV1 = legacyTime(valueAt(inner.v1, byContract))
  const shown = valueAt(inner.legacy, memberOf(legacy)) ?? inV1
  const madeUp = () => makeUp({}, memberOf(legacy).at(-1) ?? '', inner.seed)
  if (change.kind === 'drop') {
    if (inV1 === undefined) setAt(inner.v1, byContract, madeUp())
    return undefined
  }
  if (!stays) removeAt(inner.v1, byContract)
  switch (change.kind) {
    case 'from':
      return valueFrom(line, change, place, shown)
    case 'join':
      return joined(change.parts, place)
    case 'always':
      return change.value
    case 'lost':
      return shown ?? madeUp()
  }
}

/** @param shown what legacy shows by the contract. Undefined: the contract does not have the member. */
function valueFrom(
  { contract, legacy, isShared }: AnswerDeviation,
  { v1, by, absent }: Change & { kind: 'from' },
  place: Place,
  shown: unknown,
): unknown {
  const holder = around(place, v1)
  const member = memberOf(v1)
  const isOther = writePath(v1) !== writePath(contract)
  const there = valueAt(holder.v1, member)
  if (isOther && there !== undefined) return there === null && absent === 'missing' ? undefined : toLegacy(by, there)
  const value = shown === undefined ? makeUp(by, memberOf(legacy).at(-1) ?? '', holder.seed) : toV1(by, shown)
  if (absent !== undefined && !isShared && (value === null || isAbsent(holder.seed))) {
    if (absent === 'missing') setAt(holder.v1, member, null)
    else removeAt(holder.v1, member)
    return absent === 'missing' ? undefined : null
  }
  setAt(holder.v1, member, value)
  return toLegacy(by, value)
}

/** Puts a text together from v1. Makes up what v1 does not have. */
function joined(parts: readonly (LinePath | string)[], place: Place): string | null {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part
    const holder = around(place, part)
    const member = memberOf(part)
    if (valueAt(holder.v1, member) === undefined) {
      setAt(holder.v1, member, makeUp({}, member.at(-1) ?? '', holder.seed))
    }
    const value = valueAt(holder.v1, member)
    return value === null || value === undefined ? null : String(value)
  })
  return texts.includes(null) ? null : texts.join('')
}

/**
 * Removes from legacy what a line reads in v1 under another name, where the contract leaves the members open: there legacy has
 * a member of v1 only under one name.
 */
function hideRead({ change, contract }: AnswerDeviation, { answers, names }: Deviation, place: Place): void {
  if (!names.isOpen) return
  const listed = [...Object.values(names.renamed ?? {}), ...answers.map((line) => writePath(line.legacy))]
  for (const v1 of v1PathsOf(change)) {
    if (writePath(v1) === writePath(contract) || listed.includes(writePath(v1))) continue
    removeAt(around(place, v1).legacy, memberOf(v1))
  }
}
