import { NO_LIMIT } from '../../../../../src/control-plane/evidence/diff/budget.ts'
import { diff } from '../../../../../src/control-plane/evidence/diff/diff.ts'
import { type JsonValue, readBody } from '../../../../../src/control-plane/evidence/diff/json-value.ts'
import { Pairs } from '../../../../../src/control-plane/evidence/diff/pair-items.ts'
import {
  type Expectations,
  expectationsOf,
  whyIgnored,
} from '../../../../../src/control-plane/evidence/expected/expectations.ts'
import { learn } from '../../../../../src/control-plane/evidence/proposals/learn.ts'
import type { Learned } from '../../../../../src/control-plane/evidence/proposals/learned.ts'
import { Proposals } from '../../../../../src/control-plane/evidence/proposals/proposals.ts'
import type { Settled } from '../../../../../src/control-plane/evidence/proposals/proposed-lines.ts'
import { rewriteList, rewritePage, rewriteRecord, rewriteRows } from '../../../../../src/engine/answer.ts'
import { compileOperations } from '../../../../../src/engine/compile/compile-operations.ts'
import { explain } from '../../../../../src/guide/lines/explain.ts'
import {
  bareList,
  get,
  type Operation,
  operation,
  page,
  record,
  wholeList,
} from '../../../../../src/mapping/operation.ts'
import { integer } from '../../../../../src/mapping/reader.ts'
import { bodyParameters, query, queryParameters, stitched } from '../../../../../src/mapping/request.ts'
import { shape } from '../../../../../src/mapping/shape.ts'

const paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
const details = {
  says: 'Made up.',
  legacy: get('/things'),
  v1: get('/api/v1/things'),
  request: queryParameters({}),
  effect: 'read',
  authorization: 'none',
} as const

/** An operation per kind of answer, whose mapping says nothing about members. */
export const list = operation('made-list', { ...details, response: wholeList(shape('Row', {}), paging) })
export const quotes = operation('made-quotes', { ...details, response: bareList(shape('Quote', {})) })
export const one = operation('made-record', { ...details, response: record(shape('Record', {})) })
export const pages = operation('made-page', {
  ...details,
  request: bodyParameters(
    { page: query(integer(1, 1_000)), perPage: query(integer(1, 5_000)) },
    { stitching: stitched({ paging, defaultPerPage: 25 }) },
  ),
  response: page({ rows: ['data', shape('Item', {})], meta: ['pagination', shape('Meta', {})] }),
})

/** Returns what the gateway makes of v1's body. */
export function rewritten(mapping: Operation, v1: Uint8Array): Uint8Array {
  const [compiled] = compileOperations([mapping])
  if (compiled === undefined) throw new Error('not compiled')
  switch (mapping.response.kind) {
    case 'record':
      return rewriteRecord(compiled.answer, v1)
    case 'list':
      return rewriteList(compiled.answer, v1)
    case 'whole-list': {
      const { rows } = rewriteRows(compiled.answer, v1, { skip: 0, take: Number.POSITIVE_INFINITY })
      return Buffer.concat([Buffer.from('['), rows, Buffer.from(']')])
    }
    case 'page':
      if (compiled.page === undefined) throw new Error('no page')
      return rewritePage(compiled.page, v1)
    default:
      throw new Error('no answer')
  }
}

/** v1's body with these rows or this record. */
export const v1Body = ({ response }: Operation, value: unknown): Buffer =>
  Buffer.from(
    JSON.stringify(
      response.kind === 'record'
        ? { success: true, message: 'ok', data: value }
        : { success: true, message: 'ok', items: value, meta: META },
    ),
  )

const META = { total: 3, page: 1, perPage: 25, pageCount: 1 }

/** Legacy's body with these rows or this record. */
export const legacyBody = ({ response }: Operation, value: unknown): Buffer =>
  Buffer.from(JSON.stringify(response.kind === 'page' ? { data: value, pagination: META } : value))

export interface Exchanged {
  readonly legacy: Uint8Array
  readonly v1: Uint8Array
  readonly legacyAgain?: Uint8Array
  readonly input?: number
  readonly client?: number
}

/** Returns the differences that count between legacy's body and what the gateway makes of v1's, as parsed. */
export function counting(
  expectations: Expectations,
  legacy: JsonValue,
  candidate: JsonValue,
  pairs?: Pairs,
): readonly Settled[] {
  const answer = (json: JsonValue) => ({ status: 200, body: Buffer.alloc(0), read: { json } })
  return diff(answer(legacy), answer(candidate), undefined, NO_LIMIT, undefined, pairs)
    .differences.filter((difference) => whyIgnored(expectations, difference, undefined) === null)
    .map(({ kind, path }) => ({ kind, path }))
}

export const json = (body: Uint8Array): JsonValue => readBody(body).json as JsonValue

/** Learns from exchanges of one operation, as a gateway does. */
export class Learner {
  readonly mapping: Operation
  readonly expectations: Expectations
  readonly proposals = new Proposals()
  readonly budgetMs: number
  /** The processor time of learning, and of adding what was learned. */
  milliseconds = 0
  addingMilliseconds = 0
  exchanges = 0
  latest: Learned | undefined

  constructor(mapping: Operation, budgetMs = 1_000) {
    this.mapping = mapping
    this.expectations = expectationsOf(mapping, explain(mapping))
    this.budgetMs = budgetMs
  }

  take({ legacy, v1, legacyAgain, input, client }: Exchanged): void {
    const control = json(legacy)
    const candidate = json(rewritten(this.mapping, v1))
    const pairs = new Pairs()
    const differences = counting(this.expectations, control, candidate, pairs)
    const from = {
      ...{ expectations: this.expectations, control, candidate, v1, pairs, differences },
      ...{ again: legacyAgain && json(legacyAgain), watched: this.proposals.watched(this.mapping.id) },
    }
    const [learned, learning] = timed(() => learn(from, this.budgetMs))
    this.milliseconds += learning
    this.exchanges++
    const latest = structuredClone(learned)
    this.latest = latest
    this.addingMilliseconds += timed(() => this.proposals.add(this.mapping.id, latest, { input, client }))[1]
  }

  /** Takes rows or records as both sides have them. */
  takeValues(legacy: unknown, v1: unknown, shown: Omit<Exchanged, 'legacy' | 'v1'> = {}): void {
    this.take({ legacy: legacyBody(this.mapping, legacy), v1: v1Body(this.mapping, v1), ...shown })
  }

  get report() {
    const [report] = this.proposals.report(this.mapping.id).operations
    if (report === undefined) throw new Error('nothing was learned')
    return report
  }

  /** The certain lines, by legacy path. */
  get certain(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      this.report.proposals.flatMap(({ legacy, line, certainty }) => (certainty === 'certain' ? [[legacy, line]] : [])),
    )
  }
}

/**
 * Returns what some work gives, and its processor time in ms. The clock of the processor time may tick every 4 ms, so the time of day counts
 * where no other process came in between.
 */
function timed<T>(work: () => T): readonly [result: T, milliseconds: number] {
  const { involuntaryContextSwitches } = process.resourceUsage()
  const before = process.threadCpuUsage()
  const started = performance.now()
  const result = work()
  const passed = performance.now() - started
  const { user, system } = process.threadCpuUsage(before)
  const isAlone = process.resourceUsage().involuntaryContextSwitches === involuntaryContextSwitches
  return [result, isAlone ? passed : Math.min(passed, (user + system) / 1_000)]
}
