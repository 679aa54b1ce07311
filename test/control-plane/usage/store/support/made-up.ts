import { expect } from 'vitest'
import { NOTHING_SEEN, type Seen, type UsageRow } from '../../../../../src/control-plane/usage/usage.ts'
import type { UsagePortion, UsageStore } from '../../../../../src/control-plane/usage/usage-store.ts'

const DAY_MS = 86_400_000

/** Returns the time so many days ago, ISO 8601. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()
/** Returns the day of the time so many days ago. */
export const dayAgo = (days: number): string => daysAgo(days).slice(0, 10)
/** As it is stored. */
export const dayNumberAgo = (days: number): number => Math.floor(Date.parse(daysAgo(days)) / DAY_MS)

export const seen = (change: Partial<Seen> = {}): Seen => ({ ...NOTHING_SEEN, calls: 1, ...change })

/** A call of `shop` of `one`, now unless told. */
export function row({ days = 0, ...change }: Partial<UsageRow> & { readonly days?: number } = {}): UsageRow {
  const at = daysAgo(days)
  return {
    ...{ day: at.slice(0, 10), client: 'shop', operation: 'one', calls: 1, clientErrors: 0, serverErrors: 0 },
    ...{ byV1: 1, byLegacy: 0, firstAt: at, lastAt: at, agents: [], seen: NOTHING_SEEN },
    ...change,
  }
}

export const portion = (number: number, ...rows: readonly UsageRow[]): UsagePortion => ({ number, rows })

/** Rows of many clients, a call each. */
export const manyClients = (many: number, name: string, from = 0): readonly UsageRow[] =>
  Array.from({ length: many }, (_, at) => row({ client: `${name} ${from + at}` }))

/** Adds a portion as whoever counts does: a store that is busy is given it again. */
export async function addAnyhow(usage: UsageStore, portion: UsagePortion): Promise<void> {
  for (;;) {
    try {
      return void (await usage.add(portion))
    } catch (error) {
      expect(error).toMatchObject({ isBusy: true })
    }
  }
}
