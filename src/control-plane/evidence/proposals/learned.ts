import type { JsonType } from '../../../engine/json/walk-json.ts'
import type { Form } from '../../../mapping/corrections/corrections.ts'
import type { Kind } from '../diff/difference.ts'

/** What one exchange says about the lines that could explain its differences. Plain data, bounded, without values but where it says so. */
export interface Learned {
  readonly paths: readonly LearnedPath[]
  /** The differences that count. */
  readonly differences: readonly LearnedDifference[]
  /** What the request has and v1 does not get, and where v1 refused what legacy accepted. */
  readonly requests: readonly LearnedRequest[]
  /** What a bound cut off, in words. */
  readonly limits: readonly string[]
}

/** A difference that counts. */
export interface LearnedDifference {
  readonly kind: Kind
  readonly path: string
  /** Where v1 has it; null: nowhere. */
  readonly v1Path: string | null
  /** For an extra object: the paths of its values, from the object. */
  readonly leaves: readonly string[]
}

/** An object around a legacy path: a record, or an item of a list. */
export interface Around {
  readonly legacy: string
  readonly v1: string
}

/**
 * What one exchange says about a legacy path. A place is an item of a list, or the record, that both sides have and that is paired with
 * v1's item. Values that changed between legacy's two answers are left out.
 */
export interface LearnedPath {
  readonly legacy: string
  /** The place that it is in: `[]`, `data[]`, `packages[]`; `""` for a record. */
  readonly container: string
  /** The objects around it, outermost first, as legacy and v1 name them. */
  readonly around: readonly Around[]
  /** Whether the value is an object or a list. */
  readonly isWhole: boolean
  /** The number of places where legacy has a value other than null. */
  readonly places: number
  /** The number of places where legacy has null, and where it has no such member. */
  readonly nulls: number
  readonly missings: number
  /** In how many of `places` other members show that the items belong together. */
  readonly aligned: number
  /** In how many places the candidate has the member, and in how many it alone has it: with a value, and with null. */
  readonly candidateHas: number
  readonly extras: number
  readonly extraNulls: number
  readonly types: Readonly<Partial<Record<JsonType, number>>>
  /** A personal member, or one whose values a personal member of v1 has: then there are no hashes and no names. */
  readonly isPersonal: boolean
  /** The number of different values. */
  readonly distinct: number
  /** The smallest hashes of values, and how often each occurs. */
  readonly values: readonly (readonly [hash: number, times: number])[]
  /**
   * The v1 paths that agree in at least a tenth of the places; where legacy has no value at all, but had one
   * before, those that have a value or null there. All others disagree in all places, or v1 does not have them.
   */
  readonly sources: readonly LearnedSource[]
  readonly joins: readonly LearnedJoin[]
  /** Undefined: the values are no names. */
  readonly enums: LearnedEnums | undefined
  /** The only value, as JSON text; undefined: there are several, or it is long or personal. */
  readonly constant: string | undefined
  /** A v1 path that has the same values, but in other items; undefined: none has. */
  readonly elsewhere: string | undefined
  /** The commonest places where the best source has another value. */
  readonly exceptions: readonly Exception[]
}

/** Two values that should be the same; `line` is that of the recording, if there is one. */
export interface Exception {
  readonly legacy: number
  readonly v1: number
  readonly times: number
}

/** How often a v1 path has legacy's value, as it is and in other forms. */
export interface LearnedSource {
  readonly v1: string
  readonly agreed: number
  /** Forms whose number is not `agreed`, and not 0. */
  readonly forms: Readonly<Partial<Record<Form, number>>>
  /** The forms whose number is 0 although `agreed` is not: a bit for each of `FORMS`, the first one's lowest. */
  readonly neverIn: number
  /** How often it agrees whatever the scale, because it is zero or no number; and further places by scale. */
  readonly unscaled: number
  readonly scales: Readonly<Record<number, number>>
  /** How often v1 has a value where legacy has null, or no member. */
  readonly againstNull: number
  readonly againstMissing: number
  /** How often v1 has null where legacy has null, or no member. */
  readonly nullNull: number
  readonly nullMissing: number
}

/** A v1 path, or a text. */
export type Part = string | { readonly text: string }

/** A text put together that agrees in all places. */
export interface LearnedJoin {
  readonly parts: readonly Part[]
}

/** Names of values, as JSON texts. */
export interface LearnedEnums {
  readonly names: readonly string[]
  /** v1's name for each of `names`, by v1 path. Each stands for one, and one for each. */
  readonly tables: readonly { readonly v1: string; readonly names: readonly string[] }[]
  /** The smallest hashes of items with their values: whether names are shared by items. */
  readonly items: readonly number[]
}

/** Something that a request has and v1 does not take. */
export interface LearnedRequest {
  readonly legacy: string
  readonly says: string
  readonly v1Path: string | null
}

/** What is known of an operation before an exchange, so that agreement counts too where nothing differs. */
export interface Watched {
  /** Legacy paths that differed before. */
  readonly paths: readonly string[]
  /** Those of them for which legacy had no value yet. */
  readonly noValues: readonly string[]
  /** Those whose values are no names. */
  readonly noEnums: readonly string[]
}

/** The most different values of an enum. */
export const MOST_NAMES = 32
/** The most legacy paths per operation, and the most paths of v1 beside one of them. */
export const MOST_PATHS = 200
export const MOST_SOURCES = 256
