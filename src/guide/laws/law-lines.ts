import { covers } from '../../common/json-path.ts'
import type { Converter, Sample } from '../../mapping/converter.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Parameter } from '../../mapping/request.ts'
import type { Rule, Shape } from '../../mapping/shape.ts'
import { beneath, partPath, placeWithin, type V1Place, v1PathOf } from '../../mapping/v1-place.ts'
import type { Side } from '../examples/samples.ts'
import { UNLISTED } from './law-values.ts'

/** A place on one side whose value the mapping says does not survive the way to the other side and back. */
export interface DeclaredLoss {
  readonly side: Side
  readonly path: string
  readonly why: string
  /** Whether this value is lost; undefined: any. */
  readonly isOf?: (value: unknown) => boolean
}

/** A member that a line maps, or that it puts into a text. */
export interface MappedMember {
  readonly side: Side
  readonly path: string
  /** Whether an answer without it is malformed. */
  readonly isPromised: boolean
  readonly canBeNull: boolean
}

/** What the lines of a shape say: which members they map, and what is lost. */
export interface ShapeLines {
  readonly members: readonly MappedMember[]
  readonly losses: readonly DeclaredLoss[]
}

interface Place {
  readonly legacy: string
  readonly v1: V1Place
}

/** Collects what the lines of a shape, and of those within it, declare. */
export function linesWithin(shape: Shape, part: 'request' | 'answer', place: Place): ShapeLines {
  const { legacy, v1 } = place
  const listed = `only listed members are ${part === 'answer' ? 'answered' : 'sent'}`
  const lines = Object.entries(shape.rules).map(([path, rule]) => linesOfRule(path, rule, part, place))
  return {
    members: lines.flatMap(({ members }) => members),
    losses: [
      ...lines.flatMap(({ losses }) => losses),
      ...Object.entries(shape.v1Only).map(([path, why]) => lossAt('v1', beneath(v1.here, path), why)),
      ...(shape.closed
        ? [lossAt('legacy', beneath(legacy, UNLISTED), listed), lossAt('v1', beneath(v1.here, UNLISTED), listed)]
        : []),
    ],
  }
}

export const lossAt = (side: Side, path: string, why: string): DeclaredLoss => ({ side, path, why })

function linesOfRule(path: string, rule: Rule, part: 'request' | 'answer', place: Place): ShapeLines {
  const legacy = beneath(place.legacy, path)
  if (rule.kind === 'lost') return { members: [], losses: [lossAt('legacy', legacy, rule.reason)] }
  if (rule.kind === 'context') {
    const parts = rule.source.from === 'join' ? rule.source.parts.flatMap((part) => ('text' in part ? [] : [part])) : []
    const read = parts.map((part) => partPath(part, place.v1))
    return {
      members: read.map((path) => ({ side: 'v1', path, isPromised: false, canBeNull: true })),
      losses: [
        lossAt('legacy', legacy, 'filled in, and not sent'),
        ...read.map((path) => lossAt('v1', path, `only in the text of ${legacy}`)),
      ],
    }
  }
  const v1 = v1PathOf(path, rule, place.v1)
  const within = placeWithin(rule, v1, place.v1)
  const inner =
    within === undefined || !('shape' in rule.value)
      ? { members: [], losses: [] }
      : linesWithin(rule.value.shape, part, {
          legacy: rule.value.kind === 'list' ? `${legacy}[]` : legacy,
          v1: within,
        })
  const isPromised = rule.promised !== undefined
  const canBeNull = !isPromised && (rule.nullable || rule.value.kind !== 'object')
  const at = (side: Side, path: string): MappedMember => ({ side, path, isPromised, canBeNull })
  return {
    members: [at('legacy', legacy), at('v1', v1), ...inner.members],
    losses: [
      ...(rule.value.kind === 'converted' ? lossesOfConverter(rule.value.by, legacy, v1) : []),
      ...(rowsIn(legacy) > rowsIn(v1)
        ? [
            lossAt('legacy', legacy, `v1 has one value for all rows: ${v1}`),
            lossAt('v1', v1, `only rows of legacy have it: ${legacy}`),
          ]
        : []),
      ...(rule.absent === undefined ? [] : [nullLoss('legacy', legacy), nullLoss('v1', v1)]),
      ...inner.losses,
    ],
  }
}

const nullLoss = (side: Side, path: string): DeclaredLoss => ({
  ...lossAt(side, path, 'null and no such member are the same'),
  isOf: isNothing,
})

const isNothing = (value: unknown): boolean => value === null || value === undefined
const rowsIn = (path: string): number => path.split('[]').length

function lossesOfConverter(
  { oneWay, loses = oneWay && 'it cannot be undone', merged = [], shared = [] }: Converter,
  legacy: string,
  v1: string,
) {
  return [
    ...(loses === undefined ? [] : [lossAt('v1', v1, loses)]),
    ...namesLost('legacy', legacy, merged),
    ...namesLost('v1', v1, shared),
  ]
}

/** Values that have the name of another one on the other side. */
const namesLost = (side: Side, path: string, samples: readonly Sample[]): readonly DeclaredLoss[] =>
  samples.length === 0
    ? []
    : [
        {
          ...lossAt(side, path, `several names of one value: ${samples.map((sample) => sample[side]).join(', ')}`),
          isOf: (value) => samples.some((sample) => [JSON.stringify(value), value].includes(sample[side])),
        },
      ]

/** Returns the declared losses of a parameter, whose values are texts. */
export function lossesOfParameter(path: string, { reader, retired }: Parameter): readonly DeclaredLoss[] {
  const { values, type } = reader.accepts
  const merged = reader.by?.merged ?? []
  return [
    ...(values === undefined || reader.by !== undefined
      ? []
      : [
          {
            ...lossAt('legacy', path, 'only listed values are sent'),
            isOf: (value: unknown) => !values.includes(String(value)),
          },
        ]),
    ...(retired === undefined
      ? []
      : [
          {
            ...lossAt('legacy', path, `v1 removed ${retired.values.join(', ')}`),
            isOf: (value: unknown) => retired.values.includes(String(value)),
          },
        ]),
    ...(type === 'date' ? [{ ...lossAt('legacy', path, 'the time of day'), isOf: hasTime }] : []),
    ...namesLost('legacy', path, merged),
  ]
}

const hasTime = (value: unknown): boolean => String(value).length > '2025-01-31'.length

/** The loss of everything that is null in a request whose mapping does not send it. */
export const lossesOfNulls = ({ request }: Operation): readonly DeclaredLoss[] =>
  request.kind === 'body' && request.nulls === 'not sent'
    ? (['legacy', 'v1'] as const).map((side) => ({
        ...lossAt(side, '', 'members that are null are not sent'),
        isOf: (value) => value === null,
      }))
    : []

/** Returns the loss that explains why a place has changed; undefined: none is declared. */
export const lossFor = (
  losses: readonly DeclaredLoss[],
  side: Side,
  path: string,
  value: unknown,
): DeclaredLoss | undefined =>
  losses.find((loss) => loss.side === side && covers(loss.path, path) && (loss.isOf?.(value) ?? true))
