import type { ComparedHeaders } from '../../../exchange/compared-headers.ts'
import type { Leniency } from '../expected/leniency.ts'
import { TooCostly } from './budget.ts'
import type { JsonValue, ReadBody } from './json-value.ts'
import { boundedPath } from './path.ts'
import type { Standing } from './second-look.ts'

/** An answer in the legacy shape. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
  /** The headers that are compared; undefined: unknown. */
  readonly headers?: ComparedHeaders | undefined
  /** The parsed body, if the caller has parsed it already. */
  readonly read?: ReadBody
  /** v1's error code, which then is part of a change of status: `200 → 400 BAD_REQUEST`; unset: it is not. */
  readonly code?: string | undefined
}

/**
 * `failure`: the control answered and the candidate did not. `header`: a header that programs read differs. `missing`: only the
 * control has the member. `extra`: only the candidate has it. `type`: the JSON types differ (null is one), or the forms of a
 * number. `order`: an array has the same items in another order. `length`: an array has another number of items. `dropped`: v1 does
 * not get a member of a write.
 */
export const KINDS = [
  'status',
  'failure',
  'header',
  'missing',
  'extra',
  'type',
  'changed',
  'order',
  'length',
  'dropped',
] as const
export type Kind = (typeof KINDS)[number]

/**
 * The part of an exchange that a path points into: the status or a failure (no path), a header (its name in lower case), the body
 * of a success, the body of an error, or the request.
 */
export const PARTS = ['status', 'header', 'answer', 'error', 'request'] as const
export type Part = (typeof PARTS)[number]

/** Whether a part is a body. */
export const isBody = (part: Part): part is 'answer' | 'error' => part === 'answer' || part === 'error'

/** Returns the kind of body that an answer with this status has. */
export const partOf = (status: number): 'answer' | 'error' => (status < 400 ? 'answer' : 'error')

/** The kind and place of a difference. Differences with the same kind and place form a class. */
export interface Where {
  readonly part: Part
  readonly kind: Kind
  /** See `path.ts`. The status and the root of a body have the path `""`. */
  readonly path: string
  /** Set if v1 was not asked: legacy's own answer did not survive the round trip to v1's shape and back. */
  readonly from?: 'round trip' | undefined
  /** The change, for a kind whose changes are judged one by one (`200 → 406`); unset: any change. */
  readonly detail?: string | undefined
  /** For `length`: `true` if the longer list has all items of the shorter one, in their order. */
  readonly isPure?: boolean | undefined
  /** The member of the request whose declared widening explains all further items; unset: none does. */
  readonly widenedBy?: string | undefined
  /** The reason of the rule that excused it for good when the answers were compared; unset: no rule did. */
  readonly excusedBy?: string | undefined
  /** The members of the mapping's request that the call sent, in order; unset: unknown. See `IgnoreRule.when`. */
  readonly sent?: readonly string[] | undefined
}

/** Kinds whose changes are judged one by one: they have few changes, and each says more than the place alone. */
const JUDGED_BY_CHANGE: ReadonlySet<Kind> = new Set(['status', 'failure', 'header', 'type', 'length'])
export const isJudgedByChange = (kind: Kind): boolean => JUDGED_BY_CHANGE.has(kind)

/** The changes of a number's form alone. Most decoders accept both forms. */
const NUMBER_FORMS: ReadonlySet<string> = new Set(['integer → decimal', 'decimal → integer'])
export const isNumberForm = ({ kind, detail }: Pick<Where, 'kind' | 'detail'>): boolean =>
  kind === 'type' && detail !== undefined && NUMBER_FORMS.has(detail)

/** Returns the details of each change that is judged by itself; [undefined]: the difference is judged as a whole. */
export function changesOf({ kind, details }: Pick<Difference, 'kind' | 'details'>): readonly (string | undefined)[] {
  return details !== null && isJudgedByChange(kind) ? Object.keys(details) : [undefined]
}

/** One class of difference between two answers. */
export interface Difference extends Omit<Where, 'detail' | 'sent'> {
  /** The number of places in the answer, mostly rows of a list. */
  readonly count: number
  /** For `status`, `failure`, `header`, `type` and `length`: how often each occurs, `{ "string → null": 3 }`. */
  readonly details: Readonly<Record<string, number>> | null
  /** `counts` if any of its places counts. If a rule excuses all of them, its reason is in `excusedBy`. */
  readonly standing: Standing | 'excused'
}

/**
 * The values at the first place of a difference; undefined: the side has no value there, or the value is irrelevant. The
 * values are personal data and must never be stored or reported.
 */
export interface Example {
  readonly kind: Kind
  readonly path: string
  readonly control: JsonValue | undefined
  readonly candidate: JsonValue | undefined
}

/** The differences of two answers, in the order in which they were found. Each example belongs to the difference at its index. */
export interface Comparison {
  readonly differences: readonly Difference[]
  readonly examples: readonly Example[]
}

/** Joins comparisons of different parts of one exchange. */
export const joined = (...comparisons: readonly Comparison[]): Comparison => ({
  differences: comparisons.flatMap(({ differences }) => differences),
  examples: comparisons.flatMap(({ examples }) => examples),
})

/** One place where two answers differ. */
export interface Place extends Omit<Where, 'part' | 'detail' | 'excusedBy' | 'sent'> {
  readonly control?: JsonValue | undefined
  readonly candidate?: JsonValue | undefined
  /** For `status`, `failure`, `header`, `type` and `length`: the change. */
  readonly detail?: string
  /** How it stands; unset: it counts. */
  readonly standing?: Standing | undefined
}

/** A class of difference while its places are added. */
interface FoundClass extends Example {
  readonly details: Map<string, number>
  readonly isNumberForm: boolean
  readonly excusedBy: string | undefined
  count: number
  standing: Difference['standing']
  /** What holds for all places; see `Where`. */
  isPure: boolean | undefined
  widenedBy: string | undefined
}

/** The first of these that any place of a class has decides for the class. */
const STANDINGS: readonly Difference['standing'][] = ['counts', 'changed meanwhile', 'drift', 'excused']
const graver = (one: Difference['standing'], other: Difference['standing']): Difference['standing'] =>
  STANDINGS.indexOf(one) < STANDINGS.indexOf(other) ? one : other

/** Two answers with more classes of difference are not compared further: counting them would delay calls. */
const MOST_CLASSES = 2_000

/** Collects the differences of one part. */
export class Findings {
  readonly part: Part
  /** Differences that rules excuse during the comparison; undefined: none. */
  readonly leniency: Leniency | undefined
  readonly #found = new Map<string, FoundClass>()

  constructor(part: Part, leniency?: Leniency) {
    this.part = part
    this.leniency = leniency
  }

  /** Returns a separate collection for places within this one. */
  inside(): Findings {
    return new Findings(this.part, this.leniency)
  }

  /** Adds one place. Returns false (“not equal”), so that callers can return its result. */
  add(place: Place): false {
    const { kind, path, control, candidate, isPure, widenedBy, detail, standing = 'counts' } = place
    const excusedBy = this.leniency?.excuses(place, this.part)
    this.#add({
      ...{ kind, path: boundedPath(path), control, candidate, isPure, widenedBy, excusedBy, count: 1 },
      details: new Map(detail === undefined ? [] : [[detail, 1]]),
      isNumberForm: isNumberForm(place),
      standing: excusedBy === undefined ? standing : 'excused',
    })
    return false
  }

  /**
   * Adds all findings of another collection; `standing`, if given, replaces theirs. A number's form keeps its own: no change of the
   * data changes it.
   */
  addAll(others: Findings, standing?: Standing): void {
    for (const other of others.#found.values()) {
      this.#add({ ...other, standing: other.isNumberForm ? other.standing : (standing ?? other.standing) })
    }
  }

  /** Whether all findings are at this path. */
  isOnlyAt(path: string): boolean {
    return [...this.#found.values()].every((found) => found.path === path)
  }

  comparison(): Comparison {
    const found = [...this.#found.values()]
    return {
      differences: found.map(({ kind, path, count, details, standing, excusedBy, isPure, widenedBy }) => ({
        ...{ part: this.part, kind, path, count, standing },
        details: details.size === 0 ? null : Object.fromEntries(details),
        ...(isPure === true && { isPure }),
        ...(widenedBy !== undefined && { widenedBy }),
        ...(standing === 'excused' && { excusedBy }),
      })),
      examples: found.map(({ kind, path, control, candidate }) => ({ kind, path, control, candidate })),
    }
  }

  /** Number forms are a class apart, so that no other change of type stands or falls with them. */
  #add(added: FoundClass): void {
    const key = `${added.isNumberForm ? 'form' : added.kind} ${added.path}`
    const found = this.#found.get(key)
    if (found === undefined) {
      if (this.#found.size >= MOST_CLASSES) throw new TooCostly()
      this.#found.set(key, added)
      return
    }
    found.count += added.count
    for (const [detail, times] of added.details) found.details.set(detail, (found.details.get(detail) ?? 0) + times)
    found.standing = graver(found.standing, added.standing)
    if (added.isPure !== true) found.isPure = undefined
    if (added.widenedBy !== found.widenedBy) found.widenedBy = undefined
  }
}
