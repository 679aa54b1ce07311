import { getHeapStatistics } from 'node:v8'
import type { Operation } from '../../src/mapping/operation.ts'
import { fakeServices } from '../control-plane/evidence/proposals/support/forty-ways.ts'
import {
  type Exchanged,
  Learner,
  legacyBody,
  list,
  v1Body,
} from '../control-plane/evidence/proposals/support/learning.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { median } from './measure.ts'

/** The bounds: processor time of an exchange, and memory of an operation. */
const MOST_MS = 20
const MOST_MB = 4
const EXCHANGES = 300
/** Of each case of large or hostile answers, how many exchanges there are, and how many of them have other values. */
const REPEATED = 100
const DIFFERENT = 25
const MB = 1024 * 1024

type Members = Readonly<Record<string, unknown>>

/** The rows of both services in one exchange. */
interface Rows {
  readonly legacy: unknown
  readonly v1: unknown
}

/** Exchanges of one operation. */
interface Traffic {
  readonly mapping: Operation
  readonly answer: (exchange: number) => Rows
}

/** Measures what learning from an exchange takes, and what an operation's proposals hold, over ordinary, large and hostile answers. */
export function proposals(print: (line: string) => void): void {
  print(
    `Processor time of learning from an exchange, ${EXCHANGES} or ${REPEATED} exchanges each; at most ${MOST_MS} ms and ${MOST_MB} MB an operation`,
  )
  // Code is compiled meanwhile; operators run for days.
  for (const seed of [8, 9]) for (const services of fakeServices(seed)) learnFrom(services)
  for (const services of fakeServices(1)) print(line(`forty ways, ${services.mapping.id}`, learnFrom(services)))
  for (const [name, answer] of Object.entries(cases)) {
    const made = Array.from({ length: DIFFERENT }, (_, exchange) => structuredClone(answer(exchange)))
    // Making large answers takes longer than learning from them.
    print(line(name, learnFrom({ mapping: list, answer: (exchange) => made[exchange % DIFFERENT] as Rows }, REPEATED)))
  }
}

interface Learnt {
  /** Of each exchange, in ms: learning, in the thread that compares, and adding what was learned, in that of the control plane. */
  readonly learning: readonly number[]
  readonly adding: readonly number[]
  /** Reporting all proposals of the operation, in ms. */
  readonly reporting: number
  /** The most bytes that the operation says it takes, and the bytes on the heap at the end. */
  readonly bytes: number
  readonly heap: number
  readonly limits: readonly string[]
}

function learnFrom({ mapping, answer }: Traffic, exchanges = EXCHANGES): Learnt {
  const before = usedHeap()
  const learner = new Learner(mapping, MOST_MS)
  const learning: number[] = []
  const adding: number[] = []
  let bytes = 0
  for (let exchange = 0; exchange < exchanges; exchange++) {
    const { legacy, v1 } = answer(exchange)
    const earlier = [learner.milliseconds, learner.addingMilliseconds] as const
    learner.take({ ...bodiesOf(mapping, legacy, v1), input: (exchange % 14) * 1_000_003, client: exchange % 3 })
    learning.push(learner.milliseconds - earlier[0])
    adding.push(learner.addingMilliseconds - earlier[1])
    bytes = Math.max(bytes, learner.proposals.bytes(mapping.id))
  }
  const started = process.threadCpuUsage()
  const { limits } = learner.report
  const { user, system } = process.threadCpuUsage(started)
  learner.latest = undefined
  return { learning, adding, reporting: (user + system) / 1_000, bytes, heap: usedHeap() - before, limits }
}

const bodiesOf = (mapping: Operation, legacy: unknown, v1: unknown): Exchanged => ({
  legacy: legacyBody(mapping, legacy),
  v1: v1Body(mapping, v1),
})

function usedHeap(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc')
  globalThis.gc()
  globalThis.gc()
  return getHeapStatistics().used_heap_size
}

function line(name: string, { learning, adding, reporting, bytes, heap, limits }: Learnt): string {
  const times = (all: readonly number[]): string => {
    const sorted = all.toSorted((one, other) => one - other)
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
    return `p50 ${median(sorted).toFixed(2)}, p99 ${p99.toFixed(2)}, most ${(sorted.at(-1) ?? Number.NaN).toFixed(2)} ms`
  }
  const memory = `${(bytes / MB).toFixed(2)} MB by its own count, ${(heap / MB).toFixed(2)} MB on the heap`
  const cut = limits.length === 0 ? '' : `; cut off: ${limits.join('; ')}`
  return `  ${name}: ${times(learning)}; adding it: ${times(adding)}; a report: ${reporting.toFixed(1)} ms; ${memory}${cut}`
}

const dice = seededRandom(53)
const whole = (below: number): number => Math.floor(dice() * below)
const word = (): string => `w${whole(1_000_000_000).toString(36)}`

/** Makes so many rows of both services. */
const rows =
  (count: number, row: (id: number) => readonly [Members, Members]) =>
  (exchange: number): Rows => {
    const pairs = Array.from({ length: count }, (_, index) => {
      const id = exchange * count + index + 1
      const [legacy, v1] = row(id)
      return [
        { id, ...legacy },
        { id, ...v1 },
      ] as const
    })
    return { legacy: pairs.map(([legacy]) => legacy), v1: pairs.map(([, v1]) => v1) }
  }

/** Members of legacy, and the same values under other names of v1. */
const renamed = (members: number, value: () => unknown) => (): readonly [Members, Members] => {
  const values = Array.from({ length: members }, value)
  return [
    Object.fromEntries(values.map((each, index) => [`old${index}`, each])),
    Object.fromEntries(values.map((each, index) => [`new${index}`, each])),
  ]
}

const nested = (depth: number, value: unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ in: inner }), value)

const cases: Readonly<Record<string, (exchange: number) => Rows>> = {
  '5,000 rows with 30 renamed members': rows(5_000, renamed(30, word)),
  '20 rows with 200 differing paths': rows(20, renamed(100, word)),
  'an enum of 1,000 values': rows(50, () => {
    const id = whole(1_000)
    return [{ kind: `k${id}` }, { type: `t${id}` }]
  }),
  'texts of 20,000 characters': rows(10, () => {
    const [one, other] = [word().padEnd(20_000, 'x'), word().padEnd(20_000, 'y')]
    return [
      { text: `${one} ${other}`, note: one },
      { one, other },
    ]
  }),
  'objects 60 deep': rows(20, () => {
    const value = word()
    return [{ was: nested(60, value) as Members, at: value }, { is: nested(60, value) as Members }]
  }),
  '256 candidate columns of equal values': rows(20, () => {
    const value = whole(5)
    const columns = Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`c${index}`, value]))
    return [Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`l${index}`, value])), columns]
  }),
  '200 new paths in every exchange': (exchange) =>
    rows(5, (id) => {
      const names = Array.from({ length: 200 }, (_, index) => [`m${exchange}-${index}`, `${id}-${index}`])
      return [Object.fromEntries(names), { other: word() }]
    })(exchange),
}
