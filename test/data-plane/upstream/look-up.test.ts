import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { lookUp } from '../../../src/data-plane/upstream/look-up.ts'
import { until } from '../../support/start-gateway.ts'

const address = (number: number): LookupAddress[] => [{ address: `127.0.0.${number}`, family: 4 }]
const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
const hanging = () => new Promise<never>(() => undefined)

function start() {
  const names = { answer: (): Promise<LookupAddress[]> => Promise.resolve(address(1)), asked: 0, stale: [] as string[] }
  const lookup = lookUp({
    onStale: (name) => names.stale.push(name),
    ask: () => {
      names.asked++
      return names.answer()
    },
  })
  const find = (): Promise<LookupAddress[]> =>
    new Promise((resolve, reject) =>
      lookup('a.test', { all: true }, (error, found) =>
        error === null ? resolve(found as LookupAddress[]) : reject(error),
      ),
    )
  return { names, lookup, find }
}

describe.concurrent('a host name', () => {
  test('is looked up for every connection, and once for simultaneous ones', async () => {
    const { names, find } = start()
    expect(await Promise.all([find(), find()])).toEqual([address(1), address(1)])
    names.answer = () => Promise.resolve(address(2))
    expect(await find()).toEqual(address(2))
    expect([names.asked, names.stale]).toEqual([2, []])
  })

  test('resolves to a single address when the caller wants one', async () => {
    const { lookup } = start()
    const found = await new Promise((resolve) => lookup('a.test', {}, (...answer) => resolve(answer)))
    expect(found).toEqual([null, '127.0.0.1', 4])
  })

  test.each([
    ['hangs', hanging],
    ['fails for now', () => failing('EAI_AGAIN')],
  ])('keeps its last addresses when its name server %s', async (_, answer) => {
    const { names, find } = start()
    await find()
    names.answer = answer
    expect(await find()).toEqual(address(1))
    const started = performance.now()
    for (let number = 0; number < 20; number++) expect(await find()).toEqual(address(1))
    // If each one waited, each would take 250 ms.
    expect(performance.now() - started).toBeLessThan(20 * 250 - 1_000)
    expect(names.stale.length).toBe(21)
  })

  test('that no longer exists fails, although addresses of it are known', async () => {
    const { names, find } = start()
    await find()
    names.answer = () => failing('ENOTFOUND')
    await expect(find()).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('that was never found fails with the error of the system, and is looked up again', async () => {
    const { names, find } = start()
    names.answer = () => failing('EAI_AGAIN')
    await expect(find()).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    names.answer = () => Promise.resolve(address(3))
    expect(await find()).toEqual(address(3))
  })

  test('whose lookup takes long is looked up once more at most', async () => {
    const { names, find } = start()
    names.answer = () => (names.asked === 1 ? hanging() : Promise.resolve(address(4)))
    const both = Promise.all([find(), find()])
    await until(() => names.asked > 1)
    expect(await both).toEqual([address(4), address(4)])
    expect(names.asked).toBe(2)
  })
})
