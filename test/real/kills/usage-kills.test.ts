import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import type { UsageStore } from '../../../src/control-plane/usage/usage-store.ts'
import { fileState } from '../../control-plane/cutover/store/support/engines.ts'
import { dayAgo, portion, row, seen } from '../../control-plane/usage/store/support/made-up.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { onMortalEngine } from './mortal-engine.ts'

const ROUNDS = 4

await onMortalEngine('usage in a store that is killed in the middle of portions', (newState) => {
  it('has counted each portion once, whatever became of it', async () => {
    const state = newState()
    const { store, usage } = await state.open()
    let number = 1
    let onAdded = () => {}
    /** Whoever counts gives a portion again until it is stored. */
    const addUntilItFails = async (): Promise<unknown> => {
      for (;;) {
        try {
          await usage.add(portionOf(number))
          number++
          onAdded()
        } catch (error) {
          return error
        }
      }
    }
    for (let round = 0; round < ROUNDS; round++) {
      const some = new Promise<void>((resolve) => {
        let left = 3 + round
        onAdded = () => {
          if (--left === 0) resolve()
        }
      })
      const failing = addUntilItFails()
      await some
      await state.kill()
      expect(await failing).toBeInstanceOf(StateError)
      await expect.poll(() => store.keep([]).catch(() => 'not yet')).toBe(undefined)
    }
    await usage.add(portionOf(number))
    for (const { calls, seen } of await all(usage)) {
      expect([calls, seen.calls, seen.members]).toEqual([number, number, { page: number }])
    }
    expect(await all(usage)).toHaveLength(20)
    expect(await state.sql('SELECT clients FROM usage_day')).toEqual([{ clients: 10 }])
  }, 120_000)
})

const all = (usage: UsageStore) => usage.read({ since: dayAgo(1) })
const DAY = dayAgo(0)

/** The same rows each time. */
const portionOf = (number: number) =>
  portion(
    number,
    ...Array.from({ length: 20 }, (_, at) =>
      row({ day: DAY, client: `client ${at % 10}`, operation: `${at}`, seen: seen({ members: { page: 1 } }) }),
    ),
  )

const ADDING = `
  import { openFileStore } from './src/app/stores.ts'
  const [path, rows] = process.argv.slice(1)
  const { usage } = openFileStore(path, { replica: 'this', log: { warn: () => undefined } })
  for (let number = 1; ; number++) {
    await usage.add({ number, rows: JSON.parse(rows) })
    process.stdout.write('.')
  }`

it('usage in a file whose gateway is killed in the middle of portions has each portion whole, or nothing of it', async () => {
  const file = join(stateFolder(), 'state.db')
  const state = fileState(file)
  let told = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const child = spawn(process.execPath, [
      ...['--input-type=module', '-e', ADDING],
      ...[file, JSON.stringify(portionOf(1).rows)],
    ])
    const exited = once(child, 'exit')
    child.stdout.on('data', (dots: Buffer) => {
      told += dots.length
      if (told >= round * 20) child.kill('SIGKILL')
    })
    await exited
    const rows = await all((await state.open()).usage)
    expect(rows).toHaveLength(20)
    const counted = new Set(rows.map(({ calls }) => calls))
    expect(counted.size).toBe(1)
    const [calls = 0] = counted
    expect(calls).toBeGreaterThanOrEqual(told)
    expect(calls).toBeLessThanOrEqual(told + round)
  }
}, 60_000)
