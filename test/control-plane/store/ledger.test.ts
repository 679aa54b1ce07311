import { expect, it } from 'vitest'
import { addDocuments, documentsAfter, type Kind, LedgerCopy, once } from '../../../src/control-plane/store/ledger.ts'
import { onBothEngines } from '../cutover/store/support/engines.ts'

const SUM: Kind<{ readonly calls: number }> = {
  name: 'sum',
  add: (one, other) => ({ calls: one.calls + other.calls }),
  parse(json) {
    const { calls } = json as { readonly calls?: unknown }
    if (typeof calls !== 'number') throw new Error('it has no calls')
    return { calls }
  },
  most: 3,
}
const delta = (key: string, calls: number, part = 'all') => ({ key, part, doc: { calls } })

onBothEngines('the ledger', (newState) => {
  it('adds a portion once, however often it is given, and answers it alike', async () => {
    const engine = await newState().engine()
    const give = (number: number, calls: number) =>
      engine.transaction((now) =>
        once({ process: 'one', kind: 'sum', number }, now, function* () {
          yield* addDocuments(SUM, [delta('a', calls)], now)
          return { number }
        }),
      )
    expect([await give(1, 1), await give(1, 1), await give(2, 10), await give(2, 10)]).toEqual(
      [1, 1, 2, 2].map((number) => ({ number })),
    )
    // It is older than what is stored, so its answer is not known any more.
    expect(await give(1, 1)).toBe(undefined)
    const all = await engine.transaction(() => documentsAfter(SUM, 0), 'read')
    expect(all).toMatchObject([{ ...delta('a', 11), number: 2 }])
  })

  it('counts the portions of processes and kinds apart', async () => {
    const engine = await newState().engine()
    const give = (process: string, kind: string) =>
      engine.transaction((now) =>
        once({ process, kind, number: 1 }, now, () => addDocuments(SUM, [delta('a', 1)], now)),
      )
    for (const process of ['one', 'other']) for (const kind of ['sum', 'another']) await give(process, kind)
    expect((await engine.transaction(() => documentsAfter(SUM, 0), 'read'))[0]?.doc).toEqual({ calls: 4 })
  })

  it('stores nothing of a portion whose transaction fails', async () => {
    const engine = await newState().engine()
    const give = (isBroken: boolean) =>
      engine.transaction((now) =>
        once({ process: 'one', kind: 'sum', number: 1 }, now, function* () {
          yield* addDocuments(SUM, [delta('a', 1)], now)
          if (isBroken) throw new Error('a bug')
        }),
      )
    await expect(give(true)).rejects.toThrow('a bug')
    await give(false)
    expect((await engine.transaction(() => documentsAfter(SUM, 0), 'read'))[0]?.doc).toEqual({ calls: 1 })
  })

  it('loses nothing when several processes add to the same documents at once', async () => {
    const state = newState()
    const engines = [await state.engine(), await state.engine(), await state.engine()]
    const keys = ['a', 'b', 'c']
    await Promise.all(
      engines.map(async (engine, at) => {
        for (let time = 0; time < 10; time++) {
          const deltas = (at === 1 ? keys.toReversed() : keys).map((key) => delta(key, 1, key))
          await engine.transaction((now) => addDocuments(SUM, deltas, now))
        }
      }),
    )
    const all = await engines[0]?.transaction(() => documentsAfter(SUM, 0), 'read')
    expect(all?.map(({ key, doc }) => `${key} ${doc.calls}`).sort()).toEqual(['a 30', 'b 30', 'c 30'])
  })

  it('keeps the documents of a part that were written last, up to a bound', async () => {
    const engine = await newState().engine()
    const add = (key: string, part: string) =>
      engine.transaction((now) => addDocuments(SUM, [delta(key, 1, part)], now))
    for (const key of ['a', 'b', 'c']) await add(key, 'one')
    await add('other', 'other')
    await add('a', 'one')
    await add('d', 'one')
    const all = await engine.transaction(() => documentsAfter(SUM, 0), 'read')
    expect(all.map(({ key }) => key).sort()).toEqual(['a', 'c', 'd', 'other'])
  })

  it('takes any text in a document, and many documents at once', async () => {
    const engine = await newState().engine()
    const TEXT: Kind<string> = { name: 'text', add: (one, other) => one + other, parse: String }
    const odd = '\0 \ud800 "quoted" $1 ü 😀'
    const many = Array.from({ length: 120 }, (_, at) => ({ key: `${at}`, part: odd, doc: odd }))
    for (let time = 0; time < 2; time++) await engine.transaction((now) => addDocuments(TEXT, many, now))
    const all = await engine.transaction(() => documentsAfter(TEXT, 0), 'read')
    expect(all).toHaveLength(120)
    expect(new Set(all.map(({ doc }) => doc))).toEqual(new Set([odd + odd]))
  })

  it('says which document cannot be read, and how it is deleted', async () => {
    const state = newState()
    const engine = await state.engine()
    await engine.transaction((now) => addDocuments(SUM, [delta("it's", 1)], now))
    await state.sql(`UPDATE ledger SET doc = ${state.bytes(Buffer.from('no document'))}`)
    const error = await engine.transaction(() => documentsAfter(SUM, 0), 'read').catch(({ message }: Error) => message)
    const [, remedy] = /or delete it: (.*)$/.exec(String(error)) ?? []
    expect(remedy).toBe("DELETE FROM ledger WHERE kind = 'sum' AND key = 'it''s'")
    await state.sql(remedy ?? '')
    expect(await engine.transaction(() => documentsAfter(SUM, 0), 'read')).toEqual([])
  })
})

onBothEngines('a copy of the ledger', (newState) => {
  async function twoCopies() {
    const state = newState()
    const opened = [await state.engine(), await state.engine()].map((engine) => {
      const copy = new LedgerCopy(SUM)
      return {
        copy,
        add: async (key: string, calls: number) =>
          (await engine.transaction((now) => copy.add([delta(key, calls, key)], now)))(),
        changes: async () => (await engine.transaction(() => copy.changes(), 'read'))(),
        keys: async () => (await engine.transaction(() => copy.changes(), 'read'))().documents.map(({ key }) => key),
        calls: (key: string) => copy.get(key)?.calls,
      }
    })
    return { state, one: opened[0] as (typeof opened)[number], other: opened[1] as (typeof opened)[number] }
  }

  it('tells what others have added, once, and not what was added here', async () => {
    const { one, other } = await twoCopies()
    await one.keys()
    await one.add('a', 1)
    await other.add('b', 2)
    expect(await one.keys()).toEqual(['b'])
    expect(await one.keys()).toEqual([])
    expect([one.calls('a'), one.calls('b')]).toEqual([1, 2])
    await one.add('b', 3)
    expect(await one.keys()).toEqual([])
    expect((await other.keys()).toSorted()).toEqual(['a', 'b'])
    expect(other.calls('b')).toBe(5)
  })

  it('tells what another has added, also if this one has added to it since', async () => {
    const { one, other } = await twoCopies()
    await one.keys()
    await one.add('a', 1)
    await other.add('a', 10)
    await one.add('a', 100)
    await one.add('a', 1_000)
    expect(await one.keys()).toEqual(['a'])
    expect(one.calls('a')).toBe(1_111)
  })

  it('tells what was deleted, and what has begun again since', async () => {
    const { state, one } = await twoCopies()
    for (const key of ['a', 'b']) await one.add(key, 1)
    await one.keys()
    await state.sql('DELETE FROM ledger')
    await one.add('b', 5)
    expect((await one.keys()).toSorted()).toEqual(['a', 'b'])
    expect([one.calls('a'), one.calls('b')]).toEqual([undefined, 5])
  })

  it('tells that the state was restored from a backup, and what there is now', async () => {
    const { state, one } = await twoCopies()
    for (const key of ['a', 'b']) await one.add(key, 1)
    await one.keys()
    await one.add('a', 10)
    await one.add('c', 1)
    expect(await one.changes()).toEqual({ documents: [], isRestored: false })
    // As it was before the last two portions.
    await state.sql("UPDATE ledger SET number = 1, doc = (SELECT doc FROM ledger WHERE key = 'b') WHERE key = 'a'")
    await state.sql("DELETE FROM ledger WHERE key = 'c'")
    await state.sql('UPDATE ledger_head SET number = 2')
    const { documents, isRestored } = await one.changes()
    expect([documents.map(({ key, doc }) => [key, doc?.calls]), isRestored]).toEqual([
      [
        ['c', undefined],
        ['a', 1],
      ],
      true,
    ])
    expect(await one.changes()).toEqual({ documents: [], isRestored: false })
  })

  it('does not take another document for its own that has the same number since the state was restored', async () => {
    const { state, one, other } = await twoCopies()
    await one.add('a', 1)
    await one.keys()
    await state.sql('DELETE FROM ledger')
    await state.sql('DELETE FROM ledger_head')
    // Two documents that are written in the same millisecond are the same.
    await new Promise((resolve) => setTimeout(resolve, 2))
    await other.add('a', 100)
    expect((await state.sql('SELECT number FROM ledger')).map(({ number }) => Number(number))).toEqual([1])
    await one.add('a', 5)
    expect([one.calls('a'), await one.keys()]).toEqual([105, ['a']])
  })

  it('does not take a document that was deleted because it is old for one that was lost', async () => {
    const { state, one } = await twoCopies()
    for (const key of ['old', 'new']) await one.add(key, 1)
    await one.keys()
    await state.sql("DELETE FROM ledger WHERE key = 'old'")
    expect(await one.changes()).toEqual({ documents: [{ key: 'old', doc: undefined }], isRestored: false })
  })
})
