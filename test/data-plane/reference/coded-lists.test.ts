import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { referenceList } from '../../../src/data-plane/reference/reference-list.ts'
import { setUpLists, TTL_MS, wholeList } from '../../support/reference-clock.ts'

const text = '{"id":1,"name":"Iğdır"},'.repeat(2_000)

describe('a content coding of a list', () => {
  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('decodes to the list: %s', async (coding, decode) => {
    const list = referenceList(wholeList(text), () => undefined)
    expect(decode(await list.make(coding)).toString()).toBe(text)
  })

  test('is made once for all callers, and kept', async () => {
    const list = referenceList(wholeList(text), () => undefined)
    expect(list.made('br')).toBeUndefined()
    const [one, other] = await Promise.all([list.make('br'), list.make('br')])
    expect(other).toBe(one)
    expect(list.made('br')).toBe(one)
    expect(list.made('gzip')).toBeUndefined()
  })

  test('counts towards the size of the list', async () => {
    let grown = 0
    const list = referenceList(wholeList(text), () => grown++)
    const coded = [await list.make('gzip'), await list.make('br')]
    expect(grown).toBe(2)
    expect(list.bytes()).toBe(list.body.length + coded.reduce((sum, { length }) => sum + length, 0))
  })
})

describe('among all lists', () => {
  const sweep = (of: string) => async () => wholeList(of)

  test('content codings take room: the list that is unused for longest is dropped', async () => {
    const { lists, get, state } = setUpLists({ maxBytes: 50_000 })
    await get('old')
    const large = await lists.get('large', sweep(randomBytes(10_000).toString('hex')))
    await get('old')
    expect(state.sweeps).toBe(1)
    expect((await large.make('gzip')).length + (await large.make('br')).length).toBeGreaterThan(20_000)
    await lists.get('other', sweep('x'.repeat(15_000)))
    await get('old')
    expect(state.sweeps).toBe(2)
  })

  test('a list that is unchanged when it is read again keeps its codings', async () => {
    const { lists, state } = setUpLists()
    const before = await lists.get('a', sweep(text))
    const coded = await before.make('gzip')
    state.now += TTL_MS + 1
    expect((await lists.get('a', sweep(text))).made('gzip')).toBe(coded)
    state.now += TTL_MS + 1
    expect((await lists.get('a', sweep(`${text} `))).made('gzip')).toBeUndefined()
  })
})
