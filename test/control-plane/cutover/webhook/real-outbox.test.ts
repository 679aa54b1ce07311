import { expect, it } from 'vitest'
import { startHttpServer } from '../../../support/http-server.ts'
import { ago, onBothEngines, onPostgres, type State } from '../store/support/engines.ts'
import { decision, entry } from '../store/support/made-up.ts'
import { startDeliveries } from './deliveries.ts'
import { messageOf } from './receivers.ts'
import { virtualTime } from './virtual-time.ts'

const SOON = { interval: 10 }

/** Stores decisions about two operations in turn. Returns the ids of their messages by operation. */
async function decide(state: State, howMany: number): Promise<Readonly<Record<string, readonly string[]>>> {
  const { cutover } = await state.open('decides')
  const ids: Record<string, string[]> = { a: [], b: [] }
  for (let version = 1; version <= howMany; version++) {
    for (const operation of ['a', 'b']) {
      const id = `${operation}-${version}`
      ids[operation]?.push(id)
      await cutover.decide(
        decision(version, {
          ...{ operation, entry: entry({ id, operation }) },
          message: { id, event: 'advanced', operation, text: 'çok güzel' },
        }),
      )
    }
  }
  return ids
}

onBothEngines('the outbox', (newState) => {
  it('is sent through a receiver that answers 500 for a while: each at least once, in order per operation', async () => {
    const state = newState()
    const ids = await decide(state, 4)
    let number = 0
    const taken: string[] = []
    const receiver = await startHttpServer((request, response) => {
      const status = ++number <= 5 ? 500 : 200
      if (status === 200) taken.push(messageOf(request).id)
      response.writeHead(status).end()
    })
    const { cutover } = await state.open('sends')
    const time = virtualTime()
    const { webhooks } = startDeliveries(cutover, receiver.url, time)
    // The clock of the database goes as it goes, so what waits is made due.
    await expect
      .poll(async () => {
        await state.sql('UPDATE outbox SET due_at = created_at WHERE attempts > 0')
        await time.pass(1_000)
        return taken.length
      }, SOON)
      .toBe(8)
    for (const operation of ['a', 'b']) expect(taken.filter((id) => id.startsWith(operation))).toEqual(ids[operation])
    expect(await state.sql('SELECT id FROM outbox')).toEqual([])
    expect(webhooks.counts()).toMatchObject({ delivered: 8, failedAttempts: 5, givenUp: 0 })
    const { at, text } = JSON.parse(receiver.received[0]?.body ?? '{}') as Record<string, string>
    expect([at, text]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), 'çok güzel'])
  })

  it('gives up what is older than a day, and sends the rest', async () => {
    const state = newState()
    await decide(state, 2)
    const old = ago(86_400_000 + 60_000)
    await state.sql(`UPDATE outbox SET created_at = ${old} WHERE id = 'a-1'`)
    const { url, received } = await startHttpServer((_, response) => response.end())
    const { cutover } = await state.open('sends')
    const time = virtualTime()
    const { webhooks } = startDeliveries(cutover, url, time)
    await expect
      .poll(async () => {
        await time.pass(1_000)
        return received.length
      }, SOON)
      .toBe(3)
    expect(received.map((request) => messageOf(request).id).toSorted()).toEqual(['a-2', 'b-1', 'b-2'])
    expect(webhooks.counts()).toMatchObject({ delivered: 3, givenUp: 1 })
  })
})

onPostgres('the outbox of replicas', (newState) => {
  it('is sent by one replica alone, and by the other when the first is dead', async () => {
    const state = newState()
    const { url, received } = await startHttpServer((_, response) => response.end())
    const time = virtualTime()
    const stores = [await state.open('one'), await state.open('two')]
    const replicas = stores.map(({ cutover }) => startDeliveries(cutover, url, time))
    const passUntil = (length: number): Promise<void> =>
      expect
        .poll(async () => {
          await time.pass(1_000)
          return received.length
        }, SOON)
        .toBe(length)
    await decide(state, 3)
    await passUntil(6)
    const deliveredBy = (): readonly number[] => replicas.map(({ webhooks }) => webhooks.counts().delivered)
    expect(deliveredBy().toSorted()).toEqual([0, 6])
    const holder = deliveredBy().indexOf(6)
    // It does not return its lease, which is over after ten seconds.
    await replicas[holder]?.webhooks.close(0)
    await state.sql(`UPDATE lease SET until = ${ago(1)} WHERE name = 'cutover'`)
    const { cutover } = stores[1 - holder] as (typeof stores)[number]
    const id = 'c-1'
    const later = decision(1, {
      operation: 'c',
      entry: entry({ id, operation: 'c' }),
      message: { id, operation: 'c' },
    })
    await cutover.decide(later)
    await passUntil(7)
    expect(deliveredBy()[1 - holder]).toBe(1)
  })
})
