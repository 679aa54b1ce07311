import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startComparing, startComparingProcess, stateFolder, storedIn } from '../support/comparing-process.ts'
import { canFakeTime, fakeTime } from '../support/fake-time.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { servingAt, startService } from '../support/service-process.ts'

/** Each starts real processes, some of them several. */
vi.setConfig({ testTimeout: 90_000 })

const newFile = (): string => join(stateFolder(), 'state.db')
const clockOf = async (admin: string): Promise<string> => (await callLegacy(admin, { path: '/traffic' })).text

it.skipIf(!canFakeTime).concurrent('a start with the clock 100 days ahead deletes nothing (faketime)', async () => {
  const file = newFile()
  const first = await startComparing(file)
  await first.call(3)
  await first.counted(3)
  await first.stop()
  const ahead = await startComparingProcess(file, fakeTime('+100d').env)
  expect(new Date((await ahead.counted(3)).since).getTime()).toBeLessThan(Date.now())
  await ahead.call(1)
  await ahead.counted(4)
  expect(await ahead.stop()).toBe(0)
  expect(storedIn(file)).toBe(4)
  // After the clock is corrected, nothing of either time is lost.
  const right = await startComparing(file)
  await right.counted(4)
  await right.stop()
  expect(storedIn(file)).toBe(4)
})

it.skipIf(!canFakeTime).concurrent('a start with the clock behind loses nothing (faketime)', async () => {
  const file = newFile()
  const first = await startComparing(file)
  await first.call(2)
  await first.counted(2)
  await first.stop()
  const behind = await startComparingProcess(file, fakeTime('-200d').env)
  await behind.call(1)
  await behind.counted(3)
  expect(await behind.stop()).toBe(0)
  expect(storedIn(file)).toBe(3)
})

it.skipIf(!canFakeTime).concurrent(
  'setting the clock while the gateway runs deletes nothing and stops nothing (faketime)',
  async () => {
    const file = newFile()
    const time = fakeTime('+0d')
    // The services have clocks of their own, so tokens stay valid.
    const gateway = await startComparingProcess(file, time.env)
    const callsShown = async (): Promise<number> =>
      Number(/Calls<\/dt><dd>([\d,]+)/.exec(await clockOf(gateway.admin))?.[1]?.replaceAll(',', ''))
    await gateway.call(3)
    await gateway.counted(3)
    // With what is stored first, the clock is looked at for the first time.
    await vi.waitFor(() => expect(storedIn(file)).toBe(3), 20_000)
    // Including the login.
    expect(await callsShown()).toBe(4)
    for (const [to, calls, says] of [
      ['+100d', 2, 'leapt 100 days ahead'],
      ['-3d', 2, 'leapt 103 days back'],
      ['+0d', 2, 'leapt 3 days ahead'],
    ] as const) {
      time.set(to)
      await gateway.call(calls)
      await gateway.said(new RegExp(says))
    }
    await gateway.counted(9)
    expect(await callsShown()).toBe(10)
    expect(await gateway.stop()).toBe(0)
    expect(storedIn(file)).toBe(9)
  },
)

it.skipIf(!canFakeTime).concurrent(
  'a v1 that comes back is called again, although the clock was set back meanwhile (faketime)',
  async () => {
    let isDown = true
    const v1 = await startHttpServer((_, response) => {
      if (isDown) response.destroy()
      else
        response
          .setHeader('content-type', 'application/json')
          .end('{"success":true,"message":"","items":[],"meta":{"page":1,"perPage":200,"total":0,"pageCount":1}}')
    })
    const time = fakeTime('+0d')
    const service = startService('serve', { V1_BASE_URL: v1.url, ...time.env })
    const { legacy, admin } = await servingAt(service)
    const status = async (): Promise<number> =>
      (await callLegacy(legacy, { path: '/api/invoice/list', headers: { authorization: 'Bearer x' }, body: '{}' }))
        .status
    for (let call = 0; call < 15; call++) await status()
    expect((await callLegacy(admin, { path: '/readyz' })).text).toContain('"open":true')
    time.set('-2d')
    isDown = false
    const end = performance.now() + 60_000
    while ((await status()) !== 200 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await status()).toBe(200)
    service.child.kill('SIGTERM')
  },
)
