import { findKey } from './find-key.ts'
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from './json-scan.ts'
import { countItems, stringAt, typeAt } from './json-walk.ts'
import { keyOf, keyStandsAt } from './key.ts'
import type { LatePlan, MemberPlan, MovePlan, ObjectPlan, ValuePlan } from './plan.ts'
import { PromiseError, type RewriteOptions } from './rewrite-options.ts'
import { RunWriter } from './run-writer.ts'
import { EMPTY, writeLate } from './write-late.ts'

/**
 * Walks a JSON text once and writes its translation; what no rule touches is copied as it stands. Methods take the
 * position of what they walk and return the one after it.
 */
export class Rewriter {
  readonly #json: Uint8Array
  readonly #view: DataView
  readonly #out: RunWriter
  readonly #options: RewriteOptions
  readonly #trace: RewriteOptions['trace']
  /** Remembered positions of values: those of the objects under way, the innermost object's last. */
  readonly #slots: number[] = []
  #rowIndex = 0
  #rowCount = 0

  /** `expected`: the length of what will be written, as near as is known. */
  constructor(json: Uint8Array, expected: number, options: RewriteOptions = {}) {
    this.#json = json
    this.#view = new DataView(json.buffer, json.byteOffset, json.byteLength)
    this.#out = new RunWriter(json, expected)
    this.#options = options
    this.#trace = options.trace
  }

  /** Writes the translation of one value. */
  value(plan: ValuePlan, at: number): number {
    this.#out.resume(at)
    const end = this.#value(plan, at)
    this.#out.cut(end)
    return end
  }

  /** Writes `take` items of the array at `at` from number `skip` on, commas between them, no brackets. */
  rows(plan: ValuePlan, at: number, skip: number, take: number): { readonly end: number; readonly written: number } {
    let written = 0
    let before = at + 1
    const end = this.#items(at, (item, index) => {
      if (index < skip || written === take) {
        this.#out.cut(before)
        before = skipValue(this.#json, item)
      } else {
        this.#out.resume(item)
        before = this.#value(plan, item)
        written++
      }
      return before
    })
    this.#out.cut(before)
    return { end, written }
  }

  /** What has been written. */
  finish(): Buffer {
    return this.#out.finish()
  }

  #value(plan: ValuePlan, at: number): number {
    switch (plan.kind) {
      case 'copy':
        return skipValue(this.#json, at)
      case 'convert': {
        const end = skipValue(this.#json, at)
        const replacement = plan.convert(this.#json, at, end)
        if (replacement !== undefined) {
          this.#out.cut(at + replacement.keep)
          this.#out.write(replacement.text)
          this.#out.resume(end)
        }
        return end
      }
      case 'object':
        return this.#json[at] === OPEN_OBJECT ? this.#object(plan.plan, at) : skipValue(this.#json, at)
      case 'list':
        return this.#json[at] === OPEN_ARRAY ? this.#list(plan, at) : skipValue(this.#json, at)
    }
  }

  #list(plan: ValuePlan & { readonly kind: 'list' }, at: number): number {
    const outerIndex = this.#rowIndex
    const outerCount = this.#rowCount
    if (plan.counted) this.#rowCount = countItems(this.#json, at)
    const end = this.#items(at, (item, index) => {
      this.#rowIndex = index
      return this.#json[item] === OPEN_OBJECT ? this.#object(plan.plan, item) : skipValue(this.#json, item)
    })
    this.#rowIndex = outerIndex
    this.#rowCount = outerCount
    return end
  }

  #items(at: number, item: (at: number, index: number) => number): number {
    const json = this.#json
    at = skipSpace(json, at + 1)
    if (json[at] === CLOSE_ARRAY) return at + 1
    for (let index = 0; ; index++) {
      at = skipSpace(json, item(at, index))
      if (json[at] === CLOSE_ARRAY) return at + 1
      if (json[at] !== COMMA) throw new JsonError(at)
      at = skipSpace(json, at + 1)
    }
  }

  #object(plan: ObjectPlan, at: number): number {
    const outer = this.#out.hasMember
    const slots = this.#slots.length
    this.#out.hasMember = false
    for (let i = 0; i < plan.slots; i++) this.#slots.push(EMPTY)
    const close = this.#members(plan, at, slots, undefined)
    if (plan.late.length > 0) this.#late(plan.late, slots)
    this.#out.resume(close)
    this.#slots.length = slots
    this.#out.hasMember = outer
    return close + 1
  }

  #late(plans: readonly LatePlan[], slots: number): void {
    writeLate(plans, {
      json: this.#json,
      out: this.#out,
      options: this.#options,
      row: { index: this.#rowIndex, count: this.#rowCount },
      positionOf: (slot) => this.#slots[slots + slot] ?? EMPTY,
      value: (plan, at) => this.value(plan, at),
    })
  }

  /**
   * Walks the members of the object at `at` and returns where its closing brace is. `leftovers` is given for an object
   * whose members are lifted out of it; it collects those that stay behind.
   */
  #members(plan: ObjectPlan, at: number, slots: number, leftovers: Uint8Array[] | undefined): number {
    const json = this.#json
    const view = this.#view
    const { keys, members, next } = plan
    let before = at + 1
    let previous = 0
    let seen = 0
    at = skipSpace(json, before)
    const isEmpty = json[at] === CLOSE_OBJECT
    while (!isEmpty) {
      if (json[at] !== QUOTE) throw new JsonError(at)
      const keyAt = at
      let index = next[previous] as number
      const key = keys[index]
      if (key !== undefined && keyStandsAt(key, json, view, at + 1)) {
        at += key.length + 2
      } else {
        at = skipString(json, at)
        index = findKey(plan, json, view, keyAt, at)
        if (index >= 0) next[previous] = index
      }
      if (json[at] === COLON && (json[at + 1] as number) > 0x20) at++
      else at = skipColon(json, at)
      if (index >= 0) {
        const member = members[index] as MemberPlan
        previous = index + 1
        seen |= member.promisedBit
        if (member.isPlain && leftovers === undefined) {
          this.#out.keepMember(keyAt)
          before = skipValue(json, at)
          if (this.#trace !== undefined && member.rule !== undefined) this.#trace(member.rule)
        } else {
          before = this.#member(member, plan, keyAt, at, before, slots, leftovers)
        }
      } else {
        before = this.#unknown(plan, keyAt, at, before, leftovers)
      }
      at = json[before] === COMMA ? before : skipSpace(json, before)
      if (json[at] === CLOSE_OBJECT) break
      if (json[at] !== COMMA) throw new JsonError(at)
      at = json[at + 1] === QUOTE ? at + 1 : skipSpace(json, at + 1)
    }
    if (seen !== plan.promised) throw new PromiseError(plan.name, missingOf(plan, seen))
    if (plan.late.length > 0) this.#out.cut(before)
    return at
  }

  /** One known member: its key at `keyAt`, its value at `at`; what stands before it ended at `before`. */
  #member(
    member: MemberPlan,
    plan: ObjectPlan,
    keyAt: number,
    at: number,
    before: number,
    slots: number,
    leftovers: Uint8Array[] | undefined,
  ): number {
    const { action, promised } = member
    if (promised !== undefined && typeAt(this.#json, at) !== promised) {
      throw new PromiseError(`${plan.name}, ${member.name}`, promised)
    }
    if (member.rule !== undefined) this.#trace?.(member.rule)
    if (member.slot >= 0) this.#slots[slots + member.slot] = at
    if (action.do === 'keep' && leftovers === undefined) {
      this.#out.keepMember(keyAt)
      return this.#value(member.value, at)
    }
    this.#out.cut(before)
    if (action.do === 'keep') return this.#keptBehind(member, at, leftovers)
    if (action.do === 'move') return this.#moved(action, member.value, at)
    if (action.do === 'lift') return this.#lifted(action.inner, member.name, at, slots, leftovers)
    return skipValue(this.#json, at)
  }

  #unknown(plan: ObjectPlan, keyAt: number, at: number, before: number, leftovers: Uint8Array[] | undefined): number {
    if (leftovers === undefined && plan.unknown === 'copy') {
      this.#out.keepMember(keyAt)
      return skipValue(this.#json, at)
    }
    this.#out.cut(before)
    const end = skipValue(this.#json, at)
    if (leftovers !== undefined) leftovers.push(this.#json.subarray(keyAt, end))
    else this.#options.dropped?.add(stringAt(this.#json, keyAt, skipString(this.#json, keyAt)))
    return end
  }

  /** Writes the value at `at` under another key. Without a closing, what follows the value may join its run. */
  #moved(move: MovePlan, value: ValuePlan, at: number): number {
    this.#out.separate()
    this.#out.write(move.open)
    this.#out.resume(at)
    const end = this.#value(value, at)
    if (move.close !== undefined) {
      this.#out.cut(end)
      this.#out.write(move.close)
    }
    return end
  }

  /**
   * An object whose members go into the object being written; `outer` collects what stays behind of an object around it.
   * Null gives each of them a null; another type cannot be lifted and passes as it is, or is left out where the shape is
   * closed.
   */
  #lifted(inner: ObjectPlan, name: string, at: number, slots: number, outer: Uint8Array[] | undefined): number {
    if (this.#json[at] !== OPEN_OBJECT) {
      const end = skipValue(this.#json, at)
      if (typeAt(this.#json, at) === 'null') this.#liftedNull(inner, at, slots)
      else if (inner.unknown === 'copy') this.#staysBehind(name, this.#json.subarray(at, end), outer)
      return end
    }
    const leftovers: Uint8Array[] = []
    const close = this.#members(inner, at, slots, leftovers)
    this.#out.cut(close)
    if (inner.unknown === 'copy' && leftovers.length > 0) this.#staysBehind(name, objectOf(leftovers), outer)
    return close + 1
  }

  /** A member of an object that is taken apart, which itself stays in it, with changes of its own. */
  #keptBehind({ name, value }: MemberPlan, at: number, leftovers: Uint8Array[] | undefined): number {
    const rewriter = new Rewriter(this.#json, 0, this.#options)
    const end = rewriter.value(value, at)
    this.#staysBehind(name, rewriter.finish(), leftovers)
    return end
  }

  #staysBehind(name: string, value: Uint8Array, outer: Uint8Array[] | undefined): void {
    const member = Buffer.concat([keyOf(name), value])
    if (outer !== undefined) outer.push(member)
    else {
      this.#out.separate()
      this.#out.write(member)
    }
  }

  /** The null at `at` stands for an object: every member that would come out of it is null. */
  #liftedNull(inner: ObjectPlan, at: number, slots: number): void {
    for (const { action, slot } of inner.members) {
      if (slot >= 0) this.#slots[slots + slot] = at
      if (action.do === 'lift') this.#liftedNull(action.inner, at, slots)
      else if (action.do === 'move') this.#out.cut(this.#moved(action, { kind: 'copy' }, at))
    }
  }
}

/** The names of the promised members that were not seen. */
function missingOf({ members }: ObjectPlan, seen: number): string {
  return members
    .filter(({ promisedBit }) => (promisedBit & ~seen) !== 0)
    .map(({ name }) => name)
    .join(', ')
}

/** An object's text, of members as they are written. */
function objectOf(members: readonly Uint8Array[]): Buffer {
  return Buffer.from(`{${members.map((member) => Buffer.from(member).toString('latin1')).join(',')}}`, 'latin1')
}
