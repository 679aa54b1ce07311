import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { NewEntry } from '../control-plane/cutover/audit.ts'
import type { MarkCall } from '../control-plane/cutover/brownout/client-calls.ts'
import type { Cutover } from '../control-plane/cutover/cutover.ts'
import { messageOf } from '../control-plane/cutover/run/judging.ts'
import { type KnownBrownouts, knownBrownouts } from '../control-plane/usage/brownouts/stored-brownouts.ts'
import { countUsage } from '../control-plane/usage/count-usage.ts'
import { keepUsage } from '../control-plane/usage/keep-usage.ts'
import { keepLogins } from '../control-plane/usage/logins/keep-logins.ts'
import type { LoginStore } from '../control-plane/usage/logins/login-store.ts'
import { lookAtExchange, lookerAt } from '../control-plane/usage/look-at.ts'
import { type KnownUsage, knownUsage } from '../control-plane/usage/stored-usage.ts'
import { usageExamples } from '../control-plane/usage/usage-examples.ts'
import type { UsageStore, UsedAgain } from '../control-plane/usage/usage-store.ts'
import type { TokenOwner } from '../data-plane/gateway/login/known-tokens.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Redactor } from '../exchange/redactor.ts'
import { explain } from '../guide/lines/explain.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Operation } from '../mapping/operation.ts'
import type { CountedCall } from '../planes/messages.ts'

/** Counts who calls what, and answers questions about it. */
export interface Usage {
  readonly known: KnownUsage
  /** Knows the calls of brownouts. */
  readonly brownouts: KnownBrownouts
  /** Counts an answered call. */
  count(call: CountedCall): void
  /** Learns which client a token belongs to. */
  noteOwner(owner: TokenOwner): void
  /** Counts what an answered call was to a brownout. */
  readonly mark: MarkCall
  /** Finds out what a call shows, and returns at once. */
  look(exchange: Exchange): void
  /** Stores what remains, within this time. */
  close(graceMs: number): Promise<void>
}

interface Parts {
  /** The ids of all operations. */
  readonly operations: readonly string[]
  /** Returns an operation's mapping, as it is now; undefined: there is no such operation. */
  readonly mapping: (operation: string) => Operation | undefined
  readonly store: UsageStore
  /** Stores which client each token belongs to. */
  readonly logins: LoginStore
  /** How long usage may wait before it is stored; ms. */
  readonly intervalMs: () => number
  /** Tells the data plane which client a token belongs to. */
  readonly learn: (owner: TokenOwner) => void
  readonly redact: Redactor
  /** Notes in the audit that an operation is used again. */
  readonly note: Cutover['note']
  /** How often to store what is counted. */
  readonly everyMs?: number | undefined
  readonly log: Logger
}

const EVERY_MS = 1_000

/** Builds what counts usage, from now until it is closed. */
export function buildUsage(parts: Parts): Usage {
  const {
    operations,
    mapping: mappingOf,
    store,
    logins,
    intervalMs,
    learn,
    redact,
    note,
    everyMs = EVERY_MS,
    log,
  } = parts
  const counter = countUsage(operations)
  const examples = usageExamples(redact)
  const looks = oncePer((mapping: Operation) => lookerAt(mapping, explain(mapping)))
  /** Calls whose answers are still being decoded. */
  const looking = new Set<Promise<void>>()
  const look = async (exchange: Exchange): Promise<void> => {
    const { operation, countedClient: client, request, status } = exchange
    const mapping = mappingOf(operation)
    const seen = mapping && (await lookAtExchange(exchange, looks(mapping)))
    if (mapping === undefined || seen === undefined) return
    counter.see({ at: Date.now(), client, operation }, seen)
    if (status >= 200 && status < 300) examples.keep(client, mapping, request, seen)
  }
  const onUsedAgain = (again: UsedAgain): void => {
    const entry = usedAgain(again)
    note(entry, messageOf(entry))
  }
  const keeper = keepUsage({ counter, store, onUsedAgain, log })
  const loginKeeper = keepLogins({ store: logins, learn, log })
  // Startup does not wait for it.
  void loginKeeper.keep()
  let keptAt = performance.now()
  const keeping = setInterval(() => {
    if (performance.now() - keptAt >= intervalMs()) {
      keptAt = performance.now()
      void keeper.keep()
    }
    void loginKeeper.keep()
  }, everyMs).unref()
  return {
    known: knownUsage({ store, keeper, examples, now: Date.now }),
    brownouts: knownBrownouts({ store, keeper }),
    mark: (call, key, mark) => counter.mark({ ...call, at: Date.now() }, key, mark),
    count({ operation, client, status, v1Code, answeredBy: side, brownout, isChosen, agent, at, milliseconds }) {
      const answeredBy = brownout === undefined ? side : undefined
      counter.count({ at: at + milliseconds, operation, client, status, code: v1Code, answeredBy, isChosen, agent })
    },
    noteOwner: loginKeeper.note,
    look(exchange) {
      const looked = look(exchange).finally(() => looking.delete(looked))
      looking.add(looked)
    },
    async close(graceMs) {
      clearInterval(keeping)
      await Promise.all(looking)
      await Promise.all([keeper.close(graceMs), loginKeeper.close(graceMs)])
    },
  }
}

/** The id is derived from the time of the last call before, so that several replicas make one entry. */
const usedAgain = ({ operation, client, before, at }: UsedAgain): NewEntry => ({
  id: createHash('sha256')
    .update(JSON.stringify(['legacy-used-again', operation, before]))
    .digest('hex')
    .slice(0, 32),
  ...{ event: 'legacy-used-again', operation, by: 'auto' },
  ...{ from: `last called ${before}`, to: `called ${at}` },
  why: `no client had called it for seven days; ${client} has called it again`,
  ...{ lineage: '{}', counts: '{}' },
})
