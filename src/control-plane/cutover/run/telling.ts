import type { Logger } from 'pino'
import { counted } from '../../../common/figures.ts'
import type { Lineage } from '../../evidence/lineage.ts'
import type { Verdict } from '../../evidence/tally/verdict.ts'
import { StateError } from '../../store/state-error.ts'
import type { AuditEntry, Event, NewEntry } from '../audit.ts'
import type { CutoverLease, CutoverStore } from '../cutover-store.ts'
import { type JudgingOptions, messageOf } from './judging.ts'
import { type Judged, nameOf } from './verdicts.ts'

export interface TellingOptions extends Pick<JudgingOptions, 'judge'> {
  readonly store: Pick<CutoverStore, 'lease' | 'audit' | 'decide'>
  /** The ids of all operations, with or without a plan. */
  readonly operations: readonly string[]
  readonly newId: () => string
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'error'>
  /** The interval of whatever happens once a second. */
  readonly everyMs?: number | undefined
}

export interface Telling {
  /** Looks no more. Resolves when the last look has ended. */
  close(): Promise<void>
}

/** In seconds: how often to look, and the least time between two messages of a kind about one operation. */
const LOOKED_EVERY = 15
const TOLD_EVERY = 60

/**
 * Writes into the audit, and so to `WEBHOOK_URL`, when the verdict on an operation has changed, and which differences count that were never
 * told before. Only the holder of the lease does, so that each is told once, however many replicas there are.
 */
export function tellEvidence(options: TellingOptions): Telling {
  const { store, operations, judge, newId, monotonic, log, everyMs = 1_000 } = options
  /** What the audit has, as long as the lease is the same: nobody else writes it then. */
  let told: Told | undefined
  /** When an operation was last told of, by event; ms. */
  const toldAt = new Map<string, number>()

  const isDue = ({ event, operation }: NewEntry): boolean =>
    monotonic() - (toldAt.get(`${event} ${operation}`) ?? Number.NEGATIVE_INFINITY) >= TOLD_EVERY * everyMs

  const tell = async (news: News, before: Told, lease: CutoverLease): Promise<void> => {
    const entry = { ...news, id: newId(), by: 'auto' }
    if (!isDue(entry) || (await store.decide({ entry, message: messageOf(entry) }, lease)) === 'stale') return
    toldAt.set(`${entry.event} ${entry.operation}`, monotonic())
    before.add(entry)
  }
  const look = async (): Promise<void> => {
    const lease = await store.lease()
    if (lease === undefined) return
    const { all, isWhole } = await judge(new Set(operations), 0)
    if (!isWhole) return
    if (told?.token !== lease.token) told = await readTold(store, lease.token)
    const judged = new Map(all.map((report) => [report.operation, report]))
    for (const operation of operations) {
      const report = judged.get(operation) ?? nothingFound(operation)
      for (const news of newsOf(report, told)) await tell(news, told, lease)
    }
  }
  let looking: Promise<void> | undefined
  const lookOnce = (): void => {
    looking ??= look()
      .catch((error: unknown) => {
        // Whether the last entry was stored is not known.
        told = undefined
        // The store's failures are logged elsewhere.
        if (!(error instanceof StateError)) log.error({ err: error }, 'changes of the evidence could not be told')
      })
      .finally(() => {
        looking = undefined
      })
  }
  const timer = setInterval(lookOnce, LOOKED_EVERY * everyMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}

/** What the audit says was told, of all operations. */
interface Told {
  /** Of the lease under which it was read. */
  readonly token: string
  verdict(operation: string): Verdict
  /** Whether a difference was told, by its name. */
  has(operation: string, name: string): boolean
  add(entry: Pick<AuditEntry, 'event' | 'operation' | 'to' | 'counts'>): void
}

const EVENTS: readonly Event[] = ['verdict-changed', 'difference-new']
/** How many entries to read at once. */
const PAGE = 1_000

async function readTold(store: Pick<CutoverStore, 'audit'>, token: string): Promise<Told> {
  const verdicts = new Map<string, Verdict>()
  const names = new Map<string, Set<string>>()
  const told: Told = {
    token,
    verdict: (operation) => verdicts.get(operation) ?? 'insufficient data',
    has: (operation, name) => names.get(operation)?.has(name) === true,
    add({ event, operation, to, counts }) {
      if (event === 'verdict-changed') return void verdicts.set(operation, to as Verdict)
      const differences = names.get(operation) ?? new Set()
      names.set(operation, differences)
      for (const name of Object.keys(JSON.parse(counts) as object)) differences.add(name)
    },
  }
  const newestFirst: AuditEntry[] = []
  for (let page = PAGE; page === PAGE; ) {
    const entries = await store.audit({ events: EVENTS, before: newestFirst.at(-1), limit: PAGE })
    newestFirst.push(...entries)
    page = entries.length
  }
  for (const entry of newestFirst.toReversed()) told.add(entry)
  return told
}

const NO_LINEAGE: Lineage = { mapping: '', v1: null, legacy: null }

/** Returns the report of an operation of which there is no evidence, or none any more. */
const nothingFound = (operation: string): Judged => ({
  ...{ operation, verdict: 'insufficient data', missing: ['no call was compared'] },
  ...{ lineage: NO_LINEAGE, differences: [] },
})

type News = Omit<NewEntry, 'id' | 'by'>

/** Returns what is to be told of an operation: its new verdict, and all new differences together. */
function newsOf(report: Judged, told: Told): readonly News[] {
  const { operation, verdict, lineage } = report
  const counting = countingIn(report)
  const unknown = [...counting].filter(([name]) => !told.has(operation, name))
  const before = told.verdict(operation)
  const about = { operation, lineage: lineage === NO_LINEAGE ? '{}' : JSON.stringify(lineage) }
  const kinds = (of: number): string => counted(of, 'difference')
  return [
    ...(verdict === before
      ? []
      : [{ ...about, event: 'verdict-changed' as const, from: before, to: verdict, why: whyOf(report), counts: '{}' }]),
    ...(unknown.length === 0
      ? []
      : [
          {
            ...{ ...about, event: 'difference-new' as const },
            ...{ from: kinds(counting.size - unknown.length), to: kinds(counting.size) },
            why: `answers differ in a way that counts and was not told before: ${inShort(unknown.map(([name]) => name))}`,
            counts: JSON.stringify(Object.fromEntries(unknown)),
          },
        ]),
  ]
}

/** Returns the differences that count, by name, each with the number of calls that show it. */
const countingIn = ({ differences }: Judged): ReadonlyMap<string, number> =>
  new Map(differences.flatMap((found) => (found.ignored === null ? [[nameOf(found), found.requests] as const] : [])))

/** Returns what the verdict rests on, in words. */
function whyOf(report: Judged): string {
  const { verdict, missing } = report
  if (verdict === 'ready') return 'all that is demanded was seen, and no difference counts'
  if (verdict === 'insufficient data') return `missing: ${inShort(missing)}`
  return `differences count: ${inShort([...countingIn(report).keys()])}`
}

/** The most that are named. */
const NAMED = 3

const inShort = (names: readonly string[]): string => {
  const others = names.length - NAMED
  return `${names.slice(0, NAMED).join('; ')}${others > 0 ? `; and ${others} more` : ''}`
}
