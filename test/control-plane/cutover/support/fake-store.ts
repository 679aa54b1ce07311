import type { AuditEntry } from '../../../../src/control-plane/cutover/audit.ts'
import type { CutoverStore, Decision } from '../../../../src/control-plane/cutover/cutover-store.ts'
import type { Answered, Position } from '../../../../src/control-plane/cutover/position.ts'
import { addAnswered } from '../../../../src/control-plane/cutover/store/stage-answers.ts'
import { StateError } from '../../../../src/control-plane/store/state-error.ts'

/** A store in memory that several processes can share and that can be away. */
export interface FakeStore {
  /** As one process sees it. */
  of(process: string): CutoverStore
  /** `away`: every call rejects. `hanging`: none ends, until it is `well` again. */
  is(state: 'well' | 'away' | 'hanging'): void
  readonly positions: Map<string, Position>
  readonly entries: AuditEntry[]
  /** Who has read what all answered, once for each time. */
  readonly sumsRead: string[]
  /** Who holds the lease; undefined: whoever asks first. */
  holder: string | undefined
  now: Date
}

const summed = (all: readonly Answered[]): readonly Answered[] => [
  ...all
    .reduce((sums, one) => {
      const key = `${one.stage} ${one.operation}`
      const sum = sums.get(key) ?? one
      const isFirst = sum === one
      const added = { ...one, ...addAnswered([sum, one]) }
      return sums.set(key, isFirst ? one : added)
    }, new Map<string, Answered>())
    .values(),
]

export function fakeStore(): FakeStore {
  const positions = new Map<string, Position>()
  const entries: AuditEntry[] = []
  let brownoutsEndedAt: string | null = null
  const rows = new Map<string, readonly Answered[]>()
  const listeners: (() => void)[] = []
  let state: 'well' | 'away' | 'hanging' = 'well'
  let goOn: (() => void)[] = []
  const reached = async (): Promise<void> => {
    if (state === 'hanging') await new Promise<void>((resolve) => goOn.push(resolve))
    if (state === 'away') throw new StateError('the database is away', true)
  }
  const add = ({ entry }: Decision): void => {
    if (!entries.some(({ id }) => id === entry.id)) entries.push({ ...entry, at: store.now.toISOString() })
  }
  const store: FakeStore = {
    ...{ positions, entries, sumsRead: [], holder: undefined, now: new Date('2026-01-05T10:00:00Z') },
    is(next) {
      state = next
      if (next !== 'hanging') for (const resume of goOn.splice(0)) resume()
    },
    of: (process) => ({
      isShared: true,
      async read(withAnswered = true) {
        await reached()
        if (withAnswered) store.sumsRead.push(process)
        const answered = withAnswered ? summed([...rows.values()].flat()) : undefined
        return { now: store.now.toISOString(), positions: [...positions.values()], answered, brownoutsEndedAt }
      },
      async keep(answered) {
        await reached()
        rows.set(process, answered)
      },
      async lease() {
        await reached()
        store.holder ??= process
        return store.holder === process ? { holder: process, token: '1' } : undefined
      },
      async decide(decision) {
        await reached()
        const { position, isNewStage } = decision
        if (position !== undefined) {
          const before = positions.get(position.operation)
          if ((before?.version ?? 0) !== position.version - 1) return 'stale'
          const since = isNewStage === true || before === undefined ? store.now.toISOString() : before.since
          positions.set(position.operation, { ...position, since })
        }
        add(decision)
        for (const listener of listeners) listener()
        return 'stored'
      },
      async endBrownouts(entry, agoMs) {
        await reached()
        add({ entry })
        brownoutsEndedAt = new Date(store.now.getTime() - agoMs).toISOString()
      },
      async audit({ events }) {
        await reached()
        return entries.toReversed().filter(({ event }) => events?.includes(event) ?? true)
      },
      due: async () => ({ messages: [], givenUp: 0 }),
      settle: async () => undefined,
      onDecided: (listener) => void listeners.push(listener),
    }),
  }
  goOn = []
  return store
}
