import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient } from './list-client.ts'
import { demo, logIn, startInMemory } from './sandbox-client.ts'

interface ExportCode {
  id: number
  code: string
  name: string
}

let sandbox: Sandbox
let exportCodes: ListClient<ExportCode>
/** Every export code by id. */
let all: ExportCode[]

beforeAll(async () => {
  sandbox = await startInMemory()
  exportCodes = listClient<ExportCode>(sandbox, '/api/v1/shared/export-codes', await logIn(sandbox, demo))
  all = await exportCodes.whole({ sortBy: 'id', sortOrder: 'asc' })
})
afterAll(() => sandbox.close())

test('an export code has an id, a code and a name', () => {
  expect(all.length).toBeGreaterThan(10)
  for (const exportCode of all) {
    expect(Object.keys(exportCode)).toEqual(['id', 'code', 'name'])
    expect(exportCode).toEqual({
      id: expect.any(Number),
      code: expect.stringMatching(/^\d{4}$/),
      name: expect.stringMatching(/^\S.*\S$/),
    })
  }
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

test('names are Turkish in every language', async () => {
  expect(all[0]).toEqual({ id: 1, code: '1000', name: 'Kesin ihracat' })
  expect(await exportCodes.whole({}, 'en')).toEqual(await exportCodes.whole({}, 'tr'))
})

test('the usual one is first by default and last upwards, the others by id', async () => {
  const [usual, ...others] = all
  expect(await exportCodes.whole({})).toEqual([usual, ...others])
  expect(await exportCodes.whole({ sortOrder: 'asc' })).toEqual([...others, usual])
})

test('names and codes are sorted as in a Turkish dictionary', async () => {
  for (const sortBy of ['name', 'code'] as const) {
    const up = all.toSorted((a, b) => a[sortBy].localeCompare(b[sortBy], 'tr'))
    expect(await exportCodes.whole({ sortBy, sortOrder: 'asc' })).toEqual(up)
    expect(await exportCodes.whole({ sortBy, sortOrder: 'desc' })).toEqual(up.toReversed())
  }
})
