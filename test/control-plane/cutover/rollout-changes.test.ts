import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import { type CutoverGateway, rolloutOf, startCutoverBed } from './support/cutover-bed.ts'

const server = sharedPostgres() as SharedPostgres
const SOON = { interval: 10 }

/** A version of the rollout file. */
const version = (percent: number): object => rolloutOf({ steps: [percent], approve: [percent] })

/** Two gateways of a fleet, each with a rollout file of its own, which say the same sooner or later. */
async function startTwo() {
  const bed = await startCutoverBed(version(1))
  const shared = { postgres: { ...server.settings, schema: newSchema() }, tokenKeys: [randomBytes(32)] }
  const start = async (replicaId: string) => {
    const rolloutFile = join(bed.folder, `${replicaId}.json`)
    const write = (text: string): void => {
      writeFileSync(`${rolloutFile}.new`, text)
      renameSync(`${rolloutFile}.new`, rolloutFile)
    }
    write(JSON.stringify(version(1)))
    const gateway = await bed.start({ ...shared, replicaId, rolloutFile })
    const inEffect = () => gateway.log.filter(({ msg }) => /rollout file is in|ROLLOUT_FILE is refused/.test(`${msg}`))
    return {
      gateway,
      /** Resolves when the gateway has seen the change. */
      async change(to: object | string): Promise<void> {
        const before = inEffect().length
        write(typeof to === 'string' ? to : JSON.stringify(to))
        await expect.poll(() => inEffect().length, SOON).toBe(before + 1)
      },
    }
  }
  return [await start('one'), await start('other')] as const
}

/** What the audit says of the rollout file, oldest first. */
const changesAt = async (gateway: CutoverGateway): Promise<readonly string[]> =>
  (await gateway.audit())
    .filter(({ event }) => event.startsWith('rollout'))
    .map(({ why }) => why.replace('invoice-list: plan.', ''))
    .toReversed()

const step = (from: number, to: number): string => `steps ${from} -> ${to}\ninvoice-list: plan.approve ${from} -> ${to}`

describe.skipIf(server === undefined)('the audit of a fleet has each change of the rollout file once', () => {
  it('although a replica sees them later, even several at once, and although a version comes back', async () => {
    const [one, other] = await startTwo()
    const story = [step(1, 2), step(2, 3), step(3, 2), step(2, 4)]
    for (const percent of [2, 3, 2, 4]) await one.change(version(percent))
    await expect.poll(() => changesAt(one.gateway), SOON).toEqual(story)
    // It has missed 3 %, and is the first to see 5 %.
    for (const percent of [2, 4, 5]) await other.change(version(percent))
    await expect.poll(() => changesAt(one.gateway), SOON).toContain(step(4, 5))
    for (const percent of [5, 6]) await one.change(version(percent))
    await expect.poll(() => changesAt(one.gateway), SOON).toContain(step(5, 6))
    expect(await changesAt(one.gateway)).toEqual([...story, step(4, 5), step(5, 6)])
  })

  it('also one that is refused, and its end', async () => {
    const [one, other] = await startTwo()
    for (const { change } of [one, other]) {
      for (const text of ['{', JSON.stringify(version(1)), JSON.stringify(version(2))]) await change(text)
    }
    await other.change(version(3))
    await expect.poll(() => changesAt(one.gateway), SOON).toContain(step(2, 3))
    expect(await changesAt(one.gateway)).toEqual([
      expect.stringContaining('not JSON'),
      'the file means the same as before',
      step(1, 2),
      step(2, 3),
    ])
  })
})
