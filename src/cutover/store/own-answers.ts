import type { Answered } from '../position.ts'
import { type AnswersPortion, answeredSince, answersKey, type BothSides, NOTHING } from './stage-answers.ts'

const total = ({ v1, legacy }: BothSides): number => v1.calls + v1.failures + legacy.calls + legacy.failures

/** Sends what is new of what this process answered. A portion whose fate is unknown is sent again first. */
export class OwnAnswers {
  readonly #process: string
  readonly #add: (portion: AnswersPortion) => Promise<readonly string[]>
  /** What is stored of each stage. */
  #stored: ReadonlyMap<string, Answered> = new Map()
  #number = 0
  #pending: { readonly portion: AnswersPortion; readonly whole: readonly Answered[] } | undefined

  /** @param add returns the keys of what was added: a stage that the store does not know yet is sent again. */
  constructor(process: string, add: (portion: AnswersPortion) => Promise<readonly string[]>) {
    this.#process = process
    this.#add = add
  }

  /** @param whole everything that this process answered, at the stages that count. */
  async keep(whole: readonly Answered[]): Promise<void> {
    await this.#send()
    const current = new Set(whole.map(answersKey))
    this.#stored = new Map([...this.#stored].filter(([key]) => current.has(key)))
    const fresh = whole.filter((one) => total(one) > total(this.#before(one)))
    if (fresh.length === 0) return
    const answered = fresh.map((one) => ({ ...one, ...answeredSince(one, this.#before(one)) }))
    this.#pending = { portion: { process: this.#process, number: ++this.#number, answered }, whole: fresh }
    await this.#send()
  }

  #before(one: Answered): BothSides {
    return this.#stored.get(answersKey(one)) ?? NOTHING
  }

  async #send(): Promise<void> {
    if (this.#pending === undefined) return
    const { portion, whole } = this.#pending
    const added = new Set(await this.#add(portion))
    this.#pending = undefined
    const stored = whole.filter((one) => added.has(answersKey(one)))
    this.#stored = new Map([...this.#stored, ...stored.map((one) => [answersKey(one), one] as const)])
  }
}
