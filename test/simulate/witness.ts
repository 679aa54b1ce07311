import type { SqlRow } from '../../src/control-plane/store/sql.ts'
import type { Witness } from './model-database.ts'

/** What a decision or a settlement was asked for with. */
export interface Asked {
  /** The fencing token; undefined: an operator or a brake decided. */
  readonly token: string | undefined
  /** Whether a plan moves by it. */
  readonly isMove: boolean
}

/** A message as the receiver got it. */
interface Received {
  readonly id: string
  readonly operation: string
}

/** Whatever is written into the audit, with its place in the order of all. */
interface Sent {
  readonly id: string
  readonly operation: string
  readonly number: number
}

/** Sees every commit, and notes what must never happen. */
export interface DecisionWitness extends Witness {
  /** Notes with what a transaction was asked for. @param by as in `Witness.committed`; each is asked for once. */
  asked(by: string, asked: Asked): void
  /** The receiver takes a message. */
  received(message: Received): void
  /** What went wrong, in plain sentences. */
  readonly wrong: string[]
  /** Messages that nobody has received. */
  missing(): readonly string[]
}

const POSITIONS = 'SELECT operation, version, stage FROM position ORDER BY operation'
const NEWS = "SELECT rowid AS nth, operation FROM audit WHERE event <> 'evidence-reset' AND rowid > "
const OUTBOX = 'SELECT number, id, operation, attempts FROM outbox ORDER BY number'

export function decisionWitness(): DecisionWitness {
  const wrong: string[] = []
  const all = new Map<string, Asked>()
  const versions = new Map<string, number>()
  const sent = new Map<string, Sent>()
  /** The messages that wait: how often each was tried, by id. */
  let outbox: ReadonlyMap<string, unknown> = new Map()
  const received = new Map<string, Received>()
  /** The number of the last message of an operation that was received for the first time. */
  const lastOf = new Map<string, number>()
  let audited = 0

  /** Returns the operations whose positions have moved. */
  const moved = (positions: readonly SqlRow[]): readonly string[] =>
    positions.flatMap(({ operation, version }) => {
      const name = String(operation)
      const before = versions.get(name) ?? 0
      if (before === version) return []
      versions.set(name, Number(version))
      if (version !== before + 1) {
        wrong.push(`The position of ${name} went from version ${before} to ${version}.`)
      }
      return [name]
    })

  return {
    wrong,
    asked: (by, asked) => void all.set(by, asked),
    committed(by, read) {
      const asked = all.get(by)
      if (asked === undefined) return
      const positions = moved(read(POSITIONS))
      const entries = read(`${NEWS}${audited} ORDER BY nth`)
      audited = Number(entries.at(-1)?.nth ?? audited)
      if (asked.isMove && positions.length === 0 && entries.length > 0) {
        wrong.push(`The audit says that ${entries[0]?.operation} moved, and its plan did not.`)
      }
      for (const operation of positions) {
        if (entries.some((entry) => entry.operation === operation)) continue
        wrong.push(`The plan of ${operation} moved, and the audit does not say so.`)
      }
      const now = read(OUTBOX)
      const before = outbox
      outbox = new Map(now.map(({ id, attempts }) => [String(id), attempts]))
      const settled = [...before.keys()].filter((id) => !outbox.has(id))
      const isPostponed = [...before].some(([id, attempts]) => outbox.has(id) && outbox.get(id) !== attempts)
      for (const { number, id, operation } of now) {
        sent.set(String(id), { id: String(id), operation: String(operation), number: Number(number) })
      }
      if (entries.length === 0 && settled.length === 0 && !isPostponed) return
      const [lease] = read("SELECT CAST(token AS text) AS token FROM lease WHERE name = 'cutover'")
      if (asked.token !== undefined && lease?.token !== asked.token) {
        wrong.push(`${by} wrote with token ${asked.token}, although ${lease?.token} had overtaken it.`)
      }
      for (const id of settled) if (!received.has(id)) wrong.push(`The message ${id} was settled and never received.`)
    },
    received({ id, operation }) {
      if (received.has(id)) return
      received.set(id, { id, operation })
      const number = sent.get(id)?.number ?? 0
      const last = lastOf.get(operation) ?? 0
      if (number < last) wrong.push(`The message ${id} of ${operation} was received after a later one.`)
      lastOf.set(operation, number)
    },
    missing: () => [...sent.keys()].filter((id) => !received.has(id)),
  }
}
