import type { OutboxMessage } from '../../../../src/control-plane/cutover/audit.ts'
import type { CutoverLease, CutoverStore } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { StateError } from '../../../../src/control-plane/store/state-error.ts'

export type OutboxStore = Pick<CutoverStore, 'lease' | 'due' | 'settle'>

/** An outbox that several processes share, as simple as the promises of `CutoverStore` allow. */
export interface PlainOutbox {
  /** The store as one process sees it. */
  seenBy(holder: string): OutboxStore
  /** Adds a message: its id, its operation. */
  add(id: string, operation: string): void
  /** Ids of what is not delivered yet. */
  left(): readonly string[]
  /** While it is away, everything is rejected. */
  isAway: boolean
}

const LEASE_MS = 10_000
const DAY_MS = 86_400_000

/** @param now its clock; ms. */
export function plainOutbox(now: () => number): PlainOutbox {
  let messages: OutboxMessage[] = []
  let lease = { holder: '', token: 0, until: 0 }
  let added = 0
  const iso = (at: number): string => new Date(at).toISOString()
  const holds = ({ token }: CutoverLease): boolean => token === String(lease.token) && lease.until > now()
  const outbox: PlainOutbox = {
    isAway: false,
    add(id, operation) {
      const body = JSON.stringify({ id, event: 'advanced', operation, text: 'çok güzel', at: iso(now()) })
      const times = { createdAt: iso(now()), dueAt: iso(now()) }
      messages.push({ ...{ id, number: ++added, operation, body, attempts: 0 }, ...times })
    },
    left: () => messages.map(({ id }) => id),
    seenBy: (holder) => {
      const there = async (): Promise<void> => {
        if (outbox.isAway) throw new StateError('the database is away', true)
      }
      return {
        async lease() {
          await there()
          if (lease.holder !== holder && lease.until > now()) return undefined
          const token = lease.holder === holder && lease.until > now() ? lease.token : lease.token + 1
          lease = { holder, token, until: now() + LEASE_MS }
          return { holder, token: String(token) }
        },
        async due(given) {
          await there()
          if (!holds(given)) return { messages: [], givenUp: 0 }
          const before = messages.length
          messages = messages.filter(({ createdAt }) => now() - Date.parse(createdAt) <= DAY_MS)
          const firsts = messages.filter(
            ({ operation }, index) => messages.findIndex((other) => other.operation === operation) === index,
          )
          const due = firsts.filter(({ dueAt }) => Date.parse(dueAt) <= now())
          return { messages: due, givenUp: before - messages.length }
        },
        async settle(id, outcome, given) {
          await there()
          if (!holds(given)) return
          messages = messages.flatMap((message) => {
            if (message.id !== id) return [message]
            if (outcome === 'delivered') return []
            return [{ ...message, attempts: message.attempts + 1, dueAt: iso(now() + outcome.againInMs) }]
          })
        },
      }
    },
  }
  return outbox
}
