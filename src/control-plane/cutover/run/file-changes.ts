import { createHash } from 'node:crypto'
import type { AuditEntry, NewEntry } from '../audit.ts'
import type { CutoverStore } from '../cutover-store.ts'

/** A change of the rollout or the mapping file, as this process saw it. */
export interface FileChange extends Omit<NewEntry, 'id'> {
  readonly file: 'rollout' | 'mapping'
  readonly event: `${FileChange['file']}-${'changed' | 'refused'}`
  /** When this process loaded the version before; ISO 8601. */
  readonly since: string
}

/** How many entries to search for those about a file. */
const LOOKED_THROUGH = 100
/** How late a replica may see a change, in the worst case; ms. */
const LATE_MS = 120_000
/** How often to try if other processes add changes at the same moment. */
const MOST_TIMES = 10

/**
 * Returns a function that adds a change to the audit, unless another process has: all see the same changes, but each at its own time, and a late one
 * may skip some. The entries about a file are a chain. Each has an id that follows from the one before, so that only one can follow it. A process
 * remembers its place in the chain, and what others have added after that place is no news. Rejects with a StateError.
 */
export function fileChanges(): (store: Pick<CutoverStore, 'audit' | 'decide'>, change: FileChange) => Promise<void> {
  /** The entries of the versions that this process has, by file; none until it has seen a change. */
  const places = new Map<FileChange['file'], string>()
  return async (store, { since, file, ...change }) => {
    const place = places.get(file)
    let own: string | undefined
    for (let times = 0; times < MOST_TIMES; times++) {
      const entries = (await store.audit({ operation: change.operation, limit: LOOKED_THROUGH })).filter(isAbout(file))
      const same = entries.filter((entry) => isSame(entry, change))
      const known = same.findLast((entry) => isNews(entry, entries, since, place)) ?? same.find(({ id }) => id === own)
      if (known !== undefined) {
        places.set(file, known.id)
        return
      }
      own = idAfter(file, endOf(entries, file)?.id)
      await store.decide({ entry: { ...change, id: own } })
    }
  }
}

/** Whether an entry is from after this process loaded the version that it has, whose entry is at `place`. */
function isNews(
  entry: AuditEntry,
  newestFirst: readonly AuditEntry[],
  since: string,
  place: string | undefined,
): boolean {
  const at = newestFirst.findIndex(({ id }) => id === place)
  return at < 0 ? Date.parse(entry.at) > Date.parse(since) - LATE_MS : newestFirst.indexOf(entry) < at
}

const isAbout =
  (file: FileChange['file']) =>
  ({ event }: AuditEntry): boolean =>
    event === `${file}-changed` || event === `${file}-refused`

/** Returns the last entry of the chain. Times do not say which it is where two are equal, or a clock was set back. */
function endOf(newestFirst: readonly AuditEntry[], file: FileChange['file']): AuditEntry | undefined {
  let end = newestFirst[0]
  for (let next = end; next !== undefined; next = newestFirst.find(({ id }) => id === idAfter(file, end?.id)))
    end = next
  return end
}

const idAfter = (file: FileChange['file'], id: string | undefined): string =>
  createHash('sha256')
    .update(`${file} file\n${id ?? ''}`)
    .digest('hex')
    .slice(0, 32)

/** Whether two changes end with the same version, or the same refusal. */
const isSame = (one: Omit<NewEntry, 'id'>, other: Omit<NewEntry, 'id'>): boolean =>
  one.event === other.event && (one.event.endsWith('-refused') ? one.why === other.why : one.to === other.to)
