import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/control-plane/cutover/audit.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { entry, startCutoverAdmin } from '../../support/cutover-admin.ts'
import { callLegacy } from '../../support/legacy-client.ts'

interface Page {
  readonly entries: readonly AuditEntry[]
  readonly next: string | null
  readonly message?: string
}

/** An admin port with so many entries, which are read as a store reads them. */
async function startWith(count: number) {
  // Some at the same time, with ids as they are for a reset of the evidence.
  const all = Array.from({ length: count }, (_, index) => {
    const id = `invoice-list ${String(count - index).padStart(3, '0')}_`
    return entry(Math.floor((count - index) / 3), { id })
  })
  const admin = await startCutoverAdmin({
    audit: async ({ before, limit }) => {
      const isOlder = ({ at, id }: AuditEntry) =>
        before === undefined || at < before.at || (at === before.at && id < before.id)
      return all.filter(isOlder).slice(0, limit)
    },
  })
  const ask = async (query: string): Promise<{ readonly status: number; readonly page: Page }> => {
    const headers = { host: new URL(admin.url).host }
    const { status, text } = await callLegacy(admin.url, { path: `/audit${query}`, headers })
    return { status, page: JSON.parse(text) as Page }
  }
  return { ...admin, all, ask }
}

describe('GET /audit', () => {
  it('gives the newest hundred entries unless told', async () => {
    const { ask, all, queries } = await startWith(150)
    const { page } = await ask('')
    expect(page.entries).toEqual(all.slice(0, 100))
    expect(queries).toEqual([{ limit: 100 }])
  })

  it('is read to its end page by page, each entry once', async () => {
    const { ask, all } = await startWith(25)
    const read: AuditEntry[] = []
    for (let query = '?limit=10'; query !== ''; ) {
      const { page } = await ask(query)
      read.push(...page.entries)
      query = page.next === null ? '' : `?limit=10&before=${encodeURIComponent(page.next)}`
    }
    expect(read).toEqual(all)
  })

  it('says that nothing comes next where an answer has fewer entries than were asked for', async () => {
    expect((await (await startWith(9)).ask('?limit=10')).page.next).toBeNull()
    expect((await (await startWith(0)).ask('')).page).toEqual({ entries: [], next: null })
  })

  it.each(['invoice-list', '*'])('lists only the entries of %s when asked to', async (operation) => {
    const { ask, queries } = await startWith(1)
    expect((await ask(`?operation=${operation}&limit=1000`)).status).toBe(200)
    expect(queries).toEqual([{ operation, limit: 1000 }])
  })

  it.each([
    ['?limit=0', 'limit must be a whole number from 1 to 1000.'],
    ['?limit=1001', 'limit must be a whole number from 1 to 1000.'],
    ['?limit=ten', 'limit must be a whole number from 1 to 1000.'],
    ['?limit=', 'limit must be a whole number from 1 to 1000.'],
    ['?before=yesterday', 'before must be the value of next in the previous answer.'],
    ['?before=2027-02-30T09:00:00.000Z_id', 'before must be the value of next in the previous answer.'],
    ['?before=2027-02-20T09:00:00.000Z_', 'before must be the value of next in the previous answer.'],
    ['?before=2027-02-20T09:00:00.000Z_%00', 'before must be the value of next in the previous answer.'],
    ['?operation=no-such', 'operation: no such operation; expected * or one of invoice-list, price, country-list.'],
    ['?lmit=5', 'the only parameters are operation, before, limit, each at most once.'],
    ['?limit=5&limit=6', 'the only parameters are operation, before, limit, each at most once.'],
    [
      '?limit=0&since=1',
      'limit must be a whole number from 1 to 1000; the only parameters are operation, before, limit, each at most once.',
    ],
  ])('%s is refused in words, and the store is not asked', async (query, message) => {
    const { ask, queries } = await startWith(1)
    expect(await ask(query)).toEqual({ status: 400, page: { message } })
    expect(queries).toEqual([])
  })

  it('is a 503 while the store cannot be used, without a word of where it is', async () => {
    const { url } = await startCutoverAdmin({
      audit: async () => {
        throw new StateError('db.internal:5432 does not answer', true)
      },
    })
    const { status, text } = await callLegacy(url, { path: '/audit', headers: { host: new URL(url).host } })
    expect([status, JSON.parse(text)]).toEqual([503, { message: 'The audit cannot be read now; try again.' }])
  })
})
