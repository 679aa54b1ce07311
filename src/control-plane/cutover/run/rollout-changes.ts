import { createHash } from 'node:crypto'
import type { AuditEntry, NewEntry } from '../audit.ts'
import type { CutoverStore } from '../cutover-store.ts'

/** A change of the rollout file, as this process saw it. */
export interface RolloutChange extends Omit<NewEntry, 'id'> {
  readonly event: 'rollout-changed' | 'rollout-refused'
  /** When this process loaded the version before; ISO 8601. */
  readonly since: string
}

/** How many entries to search for those about the rollout file. */
const LOOKED_THROUGH = 100
/** How late a replica may see a change, in the worst case; ms. */
const LATE_MS = 120_000
/** How often to try if other processes add changes at the same moment. */
const MOST_TIMES = 10

/**
 * Returns a function that adds a change to the audit, unless another process has: all see the same changes, but each at its own time, and a late one
 * may skip some. The entries about the file are a chain. Each has an id that follows from the one before, so that only one can follow it. A process
 * remembers its place in the chain, and what others have added after that place is no news. Rejects with a StateError.
 */
export function rolloutChanges(): (
  store: Pick<CutoverStore, 'audit' | 'decide'>,
  change: RolloutChange,
) => Promise<void> {
  /** The entry of the version that this process has; undefined until it has seen a change. */
  let place: string | undefined
  return async (store, { since, ...change }) => {
    let own: string | undefined
    for (let times = 0; times < MOST_TIMES; times++) {
      const entries = (await store.audit({ operation: change.operation, limit: LOOKED_THROUGH })).filter(isAboutFile)
      const same = entries.filter((entry) => isSame(entry, change))
      const known = same.findLast((entry) => isNews(entry, entries, since)) ?? same.find(({ id }) => id === own)
      if (known !== undefined) {
        place = known.id
        return
      }
      own = idAfter(endOf(entries)?.id)
      await store.decide({ entry: { ...change, id: own } })
    }
  }

  /** Whether an entry is from after this process loaded the version that it has. */
  function isNews(entry: AuditEntry, newestFirst: readonly AuditEntry[], since: string): boolean {
    const at = newestFirst.findIndex(({ id }) => id === place)
    return at < 0 ? Date.parse(entry.at) > Date.parse(since) - LATE_MS : newestFirst.indexOf(entry) < at
  }
}

const isAboutFile = ({ event }: AuditEntry): boolean => event === 'rollout-changed' || event === 'rollout-refused'

/** Returns the last entry of the chain. Times do not say which it is where two are equal, or a clock was set back. */
function endOf(newestFirst: readonly AuditEntry[]): AuditEntry | undefined {
  let end = newestFirst[0]
  for (let next = end; next !== undefined; next = newestFirst.find(({ id }) => id === idAfter(end?.id))) end = next
  return end
}

const idAfter = (id: string | undefined): string =>
  createHash('sha256')
    .update(`rollout file\n${id ?? ''}`)
    .digest('hex')
    .slice(0, 32)

/** Whether two changes end with the same version, or the same refusal. */
const isSame = (one: Omit<NewEntry, 'id'>, other: Omit<NewEntry, 'id'>): boolean =>
  one.event === other.event && (one.event === 'rollout-refused' ? one.why === other.why : one.to === other.to)
