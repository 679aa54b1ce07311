import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it, vi } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { median, startComparing, startComparingProcess, stateFolder, storedIn } from '../support/comparing-process.ts'
import { holdLock } from '../support/hold-lock.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { until } from '../support/start-gateway.ts'

/** A call takes a millisecond. Where calls wait for the file, most of them take seconds. */
const AT_ONCE_MS = 1_000
/** Delays of this process by the busy machine are allowed to the others as well. */
const lag = monitorEventLoopDelay({ resolution: 10 })
lag.enable()
const atOnceMs = (): number => AT_ONCE_MS + 5 * (lag.max / 1e6)
const FAILS = 'results cannot be stored; they stay in memory and storing is retried'
const WORKS = 'results are stored again'
/** Each starts real processes, some of them several. */
vi.setConfig({ testTimeout: 120_000, maxConcurrency: 3 })

const stored = (file: string, exchanges: number): Promise<void> => until(() => storedIn(file) === exchanges, 60_000)
const newFile = (): string => join(stateFolder(), 'state.db')

/** Whether each time that storing failed is logged once, however long it took, and so is its end. */
function onceEach(gateway: { log(): readonly { readonly msg?: unknown }[] }): boolean {
  const lines = gateway.log().flatMap(({ msg }) => (msg === FAILS || msg === WORKS ? [msg] : []))
  return lines.length > 0 && lines.every((line, at) => line === (at % 2 === 0 ? FAILS : WORKS))
}

/** Makes health checks until something has happened. Returns the median of their times, in ms. */
async function timeOfHealthCheck(admin: string, happens: Promise<void>): Promise<number> {
  const times: number[] = []
  let isOver = false
  void happens.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const started = performance.now()
    await callLegacy(admin, { path: '/healthz' })
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await happens
  return median(times)
}

it.concurrent('no call waits for a process that holds the state file, and nothing is lost or counted twice', async () => {
  const file = newFile()
  const gateway = await startComparing(file)
  await gateway.call(5)
  await gateway.counted(5)
  await stored(file, 5)
  const lock = await holdLock(file, 'BEGIN IMMEDIATE')
  lag.reset()
  const failure = gateway.said(/cannot be stored/)
  const [timeOfCall, timeOfCheck] = await Promise.all([gateway.call(40), timeOfHealthCheck(gateway.admin, failure)])
  await gateway.counted(45)
  expect(timeOfCall).toBeLessThan(atOnceMs())
  expect(timeOfCheck).toBeLessThan(atOnceMs())
  expect(await gateway.metric('legacy_gateway_state_store_up')).toBe(0)
  expect((await callLegacy(gateway.admin, { path: '/' })).text).toContain('Comparison results have not been stored')
  expect(storedIn(file)).toBe(5)
  await lock.release()
  await gateway.said(/results are stored again/)
  await vi.waitFor(async () => expect(await gateway.metric('legacy_gateway_state_store_up')).toBe(1), 60_000)
  await stored(file, 45)
  expect(onceEach(gateway)).toBe(true)
  expect(gateway.log().find(({ msg }) => msg === FAILS)).toMatchObject({
    reason: expect.stringMatching(/cannot be written: database is locked|has not answered for 5 s/),
  })
  await gateway.stop()
  expect(storedIn(file)).toBe(45)
})

it.concurrent('a gateway starts while another process writes to the state file, and reads what is stored', async () => {
  const file = newFile()
  const first = await startComparing(file)
  await first.call(3)
  await first.counted(3)
  await first.stop()
  const lock = await holdLock(file, 'BEGIN IMMEDIATE')
  const second = await startComparing(file)
  await second.counted(3)
  await second.call(2)
  await second.counted(5)
  await lock.release()
  await second.stop()
  expect(storedIn(file)).toBe(5)
})

it.concurrent('a gateway starts while the state file cannot even be read, and adds the stored results when it can', async () => {
  const file = newFile()
  const first = await startComparing(file)
  await first.call(3)
  await first.counted(3)
  await first.stop()
  const lock = await holdLock(file, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE other (a)')
  const second = await startComparing(file)
  await second.call(2)
  await second.counted(2)
  expect(second.complaints()).toContain(FAILS)
  await lock.release()
  await second.counted(5)
  await second.stop()
  expect(storedIn(file)).toBe(5)
})

it.concurrent('a lock delays the stop by its grace at most, and the log says what could not be stored', async () => {
  const file = newFile()
  const gateway = await startComparingProcess(file, { SHUTDOWN_GRACE_MS: '500' })
  const lock = await holdLock(file, 'BEGIN IMMEDIATE')
  await gateway.call(4)
  await gateway.counted(4)
  // Until an attempt has failed, no reason is known.
  await gateway.said(/cannot be stored/)
  const started = performance.now()
  expect(await gateway.stop()).toBe(0)
  // The default grace is 10 s.
  expect(performance.now() - started).toBeLessThan(8_000)
  const lost = gateway.log().find(({ msg }) => String(msg).startsWith('results are lost'))
  expect(lost).toMatchObject({
    level: 50,
    reason: expect.stringMatching(/database is locked|has not answered for 5 s/),
  })
  // The login counts too, unless it was stored before the lock.
  expect([4, 5]).toContain(lost?.exchanges)
  await lock.release()
})

it.concurrent('results that are not stored at SIGTERM are stored when the lock ends within the grace', async () => {
  const file = newFile()
  const gateway = await startComparingProcess(file, { SHUTDOWN_GRACE_MS: '10000' })
  const lock = await holdLock(file, 'BEGIN IMMEDIATE')
  await gateway.call(4)
  await gateway.counted(4)
  const stopped = gateway.stop()
  await gateway.said(/^stopping$/)
  setTimeout(() => lock.release(), 700)
  expect(await stopped).toBe(0)
  expect(storedIn(file)).toBe(4)
})

it.concurrent('a killed process loses nothing that was stored, which happens once a second', async () => {
  const file = newFile()
  const gateway = await startComparingProcess(file)
  await gateway.call(7)
  await gateway.counted(7)
  await stored(file, 7)
  gateway.service.child.kill('SIGKILL')
  await gateway.service.exit
  expect(storedIn(file)).toBe(7)
  const next = await startComparing(file)
  await next.counted(7)
})

it.concurrent('a state file that is removed or replaced is missed at once, and nothing is stored until a restart or its return', async () => {
  const file = newFile()
  const gateway = await startComparing(file)
  await gateway.call(3)
  await stored(file, 3)
  const away = `${file}.away`
  renameSync(file, away)
  await gateway.said(/cannot be stored/)
  const [failure] = gateway.log().filter(({ msg }) => msg === FAILS)
  expect(failure?.reason).toContain('was removed or replaced while it was in use')
  expect(await gateway.metric('legacy_gateway_state_store_up')).toBe(0)
  await gateway.call(2)
  await gateway.counted(5)
  expect(existsSync(file)).toBe(false)
  renameSync(away, file)
  await gateway.said(/stored again/)
  await stored(file, 5)
  const copy = `${file}.copy`
  expect(spawnSync(process.execPath, ['-e', COPY, file, copy]).status).toBe(0)
  for (const each of [`${file}-wal`, `${file}-shm`]) rmSync(each, { force: true })
  renameSync(copy, file)
  await vi.waitFor(() => expect(gateway.log().filter(({ msg }) => msg === FAILS)).toHaveLength(2), 60_000)
  await gateway.call(1)
  await gateway.stop()
  expect(storedIn(file)).toBe(5)
  const next = await startComparing(file)
  await next.counted(5)
})

const COPY = `const { DatabaseSync } = require('node:sqlite')
new DatabaseSync(process.argv[1], { timeout: 10_000 }).exec("VACUUM INTO '" + process.argv[2] + "'")`

/** A small disk of its own; undefined when it may not be mounted. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  closeAtEnd(() => {
    if (mounted.status === 0) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return mounted.status === 0 ? folder : undefined
}
const disk = smallDisk()

it.skipIf(disk === undefined).concurrent(
  'a full disk is logged as such; nothing is lost or counted twice when there is room again (needs to mount a tmpfs)',
  async () => {
    const folder = disk as string
    const file = join(folder, 'state.db')
    const gateway = await startComparing(file)
    await gateway.call(3)
    await stored(file, 3)
    const ballast = join(folder, 'ballast')
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1k', 'count=4000'])
    lag.reset()
    const timeOfCall = await gateway.call(30)
    await gateway.said(/cannot be stored/)
    expect(timeOfCall).toBeLessThan(atOnceMs())
    expect(gateway.log().find(({ msg }) => msg === FAILS)?.reason).toMatch(
      /cannot be written: database or disk is full/,
    )
    await gateway.counted(33)
    rmSync(ballast)
    await gateway.said(/stored again/)
    await stored(file, 33)
    expect(onceEach(gateway)).toBe(true)
    await gateway.stop()
  },
)
