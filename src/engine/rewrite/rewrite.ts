import type { Conversion } from '../../mapping/converter.ts'
import { BYTES, byteAt, JsonError, scanColon, scanSpace, scanString, scanValue, viewOf } from '../json/scan-json.ts'
import { countItems, stringAt, typeAt, walkItems } from '../json/walk-json.ts'
import { type Composer, compose } from './compose.ts'
import { keyStandsAt } from './key.ts'
import {
  findMember,
  type MemberPlan,
  type MovePlan,
  missingOf,
  type ObjectPlan,
  PromiseError,
  type RewriteOptions,
  type ValuePlan,
} from './rewrite-plan.ts'
import { RunWriter } from './run-writer.ts'
import type { TimestampInPlace } from './timestamp-in-place.ts'
import { convertAt, EMPTY, type Leftovers, leaveBehind, objectOf, writeLate } from './write-late.ts'

const { CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE } = BYTES

/**
 * Walks a JSON text once and writes its translation. Copies everything that no rule touches byte for byte. Methods take the
 * position of what they walk and return the position after it.
 */
export class Rewriter {
  #json: Uint8Array
  #text: DataView
  #end: number
  /** What is written. Others may write to it before and after a value. */
  readonly out: RunWriter
  readonly #options: RewriteOptions
  readonly #trace: RewriteOptions['trace']
  /** Remembered positions of values: those of the open objects, the innermost object's last. */
  readonly #slots: number[] = []
  /** The row of the innermost list around the value, and the number of its rows. */
  #row = { index: 0, count: 0 }
  #around: Composer | undefined

  /** `expected` estimates the length of the translation. */
  constructor(json: Uint8Array, expected: number, options: RewriteOptions = {}) {
    this.#json = json
    this.#text = viewOf(json)
    this.#end = json.length
    this.out = new RunWriter(json, this.#text, expected)
    this.#options = options
    this.#trace = options.trace
  }

  /** Writes the translation of one value. */
  value(plan: ValuePlan, at: number): number {
    this.out.resume(at)
    const end = this.continue(plan, at)
    this.out.cut(end)
    return end
  }

  /** Goes on with another text. Its translation follows what is written. */
  goOnWith(json: Uint8Array): void {
    this.#json = json
    this.#text = viewOf(json)
    this.#end = json.length
    this.#around = undefined
    this.out.goOnWith(json, this.#text)
  }

  /** Returns what was written. */
  finish(): Buffer {
    return this.out.finish()
  }

  #skip(at: number): number {
    return scanValue(this.#text, at, this.#end)
  }

  /** Translates the value at `at` within the current run, which goes on after it. */
  continue(plan: ValuePlan, at: number): number {
    switch (plan.kind) {
      case 'copy':
        return this.#skip(at)
      case 'timestamp':
        return this.#timestamp(plan.inPlace, at)
      case 'convert':
        return this.#converted(plan.conversion, at)
      case 'object':
        return byteAt(this.#text, at, this.#end) === OPEN_OBJECT ? this.#object(plan.plan, at) : this.#skip(at)
      case 'composed':
        if (byteAt(this.#text, at, this.#end) !== OPEN_OBJECT) return this.#skip(at)
        return compose(plan.plan, at, this.#surroundings())
      case 'list':
        return byteAt(this.#text, at, this.#end) === OPEN_ARRAY ? this.#list(plan, at) : this.#skip(at)
    }
  }

  #converted(conversion: Conversion, at: number): number {
    const end = this.#skip(at)
    const converted = convertAt(conversion, this.#json, at, end)
    if (converted !== undefined) {
      this.out.cut(at)
      this.out.write(converted)
      this.out.resume(end)
    }
    return end
  }

  #timestamp({ convert, usualLength }: TimestampInPlace, at: number): number {
    let end = at + usualLength
    let replacement = end <= this.#end ? convert(this.#json, at, end, this.#text) : undefined
    if (replacement === undefined) {
      end = this.#skip(at)
      replacement = convert(this.#json, at, end, this.#text)
    }
    if (replacement !== undefined) {
      this.out.cut(at + replacement.keep)
      this.out.write(replacement)
      this.out.resume(end)
    }
    return end
  }

  #list(plan: ValuePlan & { readonly kind: 'list' }, at: number): number {
    const outer = this.#row
    const row = { index: 0, count: plan.counted ? countItems(this.#text, at, this.#end) : outer.count }
    this.#row = row
    const end = walkItems(this.#text, at, this.#end, (item, index) => {
      row.index = index
      return this.continue(plan.row, item)
    })
    this.#row = outer
    return end
  }

  #object(plan: ObjectPlan, at: number): number {
    const outer = this.out.hasMember
    const slots = this.#slots.length
    this.out.hasMember = false
    for (let i = 0; i < plan.slots; i++) this.#slots.push(EMPTY)
    const close = this.#members(plan, at, slots, undefined)
    if (plan.late.length > 0) {
      writeLate(plan.late, { ...this.#surroundings(), positionOf: (slot) => this.#slots[slots + slot] ?? EMPTY })
    }
    this.out.resume(close)
    // Setting an array's length is expensive even if it does not change.
    if (plan.slots > 0) this.#slots.length = slots
    this.out.hasMember = outer
    return close + 1
  }

  /** What composing objects and writing late members needs of this rewriter. */
  #surroundings(): Composer {
    const [json, view, options, out] = [this.#json, this.#text, this.#options, this.out]
    this.#around ??= { json, view, options, out, row: () => this.#row, value: (plan, at) => this.value(plan, at) }
    return this.#around
  }

  /**
   * Walks the members of the object at `at` and returns the position of its closing brace. If members are lifted out of the
   * object, `leftovers` collects those that stay in it.
   */
  #members(plan: ObjectPlan, at: number, slots: number, leftovers: Leftovers | undefined): number {
    const text = this.#text
    const end = this.#end
    let before = at + 1
    let previous: MemberPlan | undefined
    let expected = plan.first
    let found = 0
    at = scanSpace(text, before, end)
    const isEmpty = byteAt(text, at, end) === CLOSE_OBJECT
    while (!isEmpty) {
      const keyAt = at
      let member = expected
      if (member !== undefined && keyStandsAt(member.key, text, at, end)) at += member.key.length
      else {
        if (byteAt(text, at, end) !== QUOTE) throw new JsonError(at)
        at = scanString(text, at, end)
        member = findMember(plan, this.#json, keyAt, at)
        if (member !== undefined) {
          if (previous === undefined) plan.first = member
          else previous.next = member
        }
        at = scanColon(text, at, end)
      }
      if (byteAt(text, at, end) <= SPACE) at = scanSpace(text, at, end)
      if (member === undefined) {
        before = this.#unknown(plan, keyAt, at, before, leftovers)
      } else {
        previous = member
        expected = member.next
        found |= member.promisedBit
        if (member.isPlain && leftovers === undefined && this.#trace === undefined) {
          this.out.keepMember(keyAt)
          before = scanValue(text, at, end)
        } else {
          before = this.#member(member, plan, keyAt, at, before, slots, leftovers)
        }
      }
      at = before
      if (byteAt(text, at, end) !== COMMA) {
        at = scanSpace(text, at, end)
        const next = byteAt(text, at, end)
        if (next === CLOSE_OBJECT) break
        if (next !== COMMA) throw new JsonError(at)
      }
      at++
      if (byteAt(text, at, end) <= SPACE) at = scanSpace(text, at, end)
    }
    if (found !== plan.promised) throw new PromiseError(plan.name, missingOf(plan, found))
    if (plan.late.length > 0) this.out.cut(before)
    return at
  }

  /** Writes a member of the plan. Its key is at `keyAt`, its value at `at`; the value before it ended at `before`. */
  #member(
    member: MemberPlan,
    plan: ObjectPlan,
    keyAt: number,
    at: number,
    before: number,
    slots: number,
    leftovers: Leftovers | undefined,
  ): number {
    const { action, promised } = member
    if (promised !== undefined && typeAt(this.#json, at) !== promised) {
      throw new PromiseError(`${plan.name}, ${member.name}`, promised)
    }
    if (member.rule !== undefined) this.#trace?.(member.rule)
    if (member.slot >= 0) this.#slots[slots + member.slot] = at
    if (action.do === 'keep' && leftovers === undefined) {
      this.out.keepMember(keyAt)
      return this.continue(member.value, at)
    }
    this.out.cut(before)
    if (action.do === 'keep') {
      // It stays in an object while others are lifted out of it.
      const rewriter = new Rewriter(this.#json, 0, this.#options)
      const end = rewriter.value(member.value, at)
      leaveBehind(this.out, member.name, rewriter.finish(), leftovers)
      return end
    }
    if (action.do === 'move') return this.#moved(action, member.value, at)
    if (action.do === 'lift') return this.#lifted(action.inner, member.name, at, slots, leftovers)
    return this.#skip(at)
  }

  #unknown(plan: ObjectPlan, keyAt: number, at: number, before: number, leftovers: Leftovers | undefined): number {
    if (leftovers === undefined && plan.unknown === 'copy') {
      this.out.keepMember(keyAt)
      return this.#skip(at)
    }
    this.out.cut(before)
    const end = this.#skip(at)
    if (leftovers !== undefined) leftovers.push(this.#json.subarray(keyAt, end))
    else this.#options.dropped?.add(stringAt(this.#json, keyAt, scanString(this.#text, keyAt, this.#end)))
    return end
  }

  /** Writes the value at `at` under another key. Without a `close`, the run goes on after the value. */
  #moved(move: MovePlan, value: ValuePlan, at: number): number {
    this.out.separate()
    this.out.write(move.open)
    this.out.resume(at)
    const end = this.continue(value, at)
    if (move.close !== undefined) {
      this.out.cut(end)
      this.out.write(move.close)
    }
    return end
  }

  /**
   * Lifts the members of an object into the object being written. `outer` collects the leftovers of the object around
   * it. A null makes each lifted member null. A value of another type cannot be lifted: it passes unchanged, or is left
   * out in a closed shape.
   */
  #lifted(inner: ObjectPlan, name: string, at: number, slots: number, outer: Leftovers | undefined): number {
    const type = typeAt(this.#json, at)
    if (type !== 'object') {
      const end = this.#skip(at)
      if (type === 'null') this.#liftedNull(inner, at, slots)
      else if (inner.unknown === 'copy') leaveBehind(this.out, name, this.#json.subarray(at, end), outer)
      return end
    }
    const leftovers: Leftovers = []
    const close = this.#members(inner, at, slots, leftovers)
    this.out.cut(close)
    if (inner.unknown === 'copy' && leftovers.length > 0) leaveBehind(this.out, name, objectOf(leftovers), outer)
    return close + 1
  }

  /** Lifts from a null at `at` instead of an object: every lifted member becomes null. */
  #liftedNull(inner: ObjectPlan, at: number, slots: number): void {
    for (const { action, slot } of inner.members) {
      if (slot >= 0) this.#slots[slots + slot] = at
      if (action.do === 'lift') this.#liftedNull(action.inner, at, slots)
      else if (action.do === 'move') this.out.cut(this.#moved(action, { kind: 'copy' }, at))
    }
  }
}
