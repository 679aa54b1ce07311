import { expect, test } from 'vitest'
import { wrongTokens } from '../../src/control-plane/admin/admin-access.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'

const TOKEN = 'a-token-of-the-admin'

async function start() {
  const v1 = await startHttpServer((_, response) => response.end('{}'))
  const gateway = await startGateway(v1.url, { settings: { adminToken: TOKEN } })
  const admin = await gateway.openAdmin()
  const ask = async (token?: string): Promise<{ readonly status: number; readonly ms: number }> => {
    const started = performance.now()
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { status } = await callLegacy(admin, { path: '/experiments', headers })
    return { status, ms: performance.now() - started }
  }
  const warnings = () => gateway.log.filter(({ msg }) => String(msg).includes('ADMIN_TOKEN'))
  return { ask, warnings, log: gateway.log }
}

test('a wrong admin token is refused ever more slowly as its peer tries more of them', async () => {
  const { ask } = await start()
  const answers = [await ask('wrong-1'), await ask('wrong-2'), await ask('wrong-3')]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  for (const [index, least] of [95, 195, 395].entries()) expect(answers[index]?.ms).toBeGreaterThan(least)
})

test('a wrong token delays neither the right one, nor a call without one, as a browser first makes it', async () => {
  const { ask, warnings } = await start()
  await ask()
  expect(warnings()).toEqual([])
  for (let number = 0; number < 3; number++) await ask('wrong')
  const ended: string[] = []
  const note = (name: string) => () => ended.push(name)
  await Promise.all([ask('wrong').then(note('wrong')), ask(TOKEN).then(note('right')), ask().then(note('none'))])
  expect(ended.at(-1)).toBe('wrong')
  expect((await ask(TOKEN)).status).toBe(200)
})

test('a flood of wrong tokens is answered within seconds, disturbs nobody, and does not flood the log', async () => {
  const { ask, warnings, log } = await start()
  const flood = Array.from({ length: 400 }, (_, number) => ask(`wrong-${number}`))
  expect((await ask(TOKEN)).status).toBe(200)
  const answers = await Promise.all(flood)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  expect(warnings().length).toBeLessThan(4)
  expect(warnings()[0]).toMatchObject({ level: 40, count: 1, peer: '127.0.0.1' })
  expect(JSON.stringify(log)).not.toContain('wrong-')
})

test('when too many refusals wait, the oldest are sent at once', async () => {
  const wrong = wrongTokens(() => undefined)
  let refused = 0
  for (let number = 0; number < 300; number++) void wrong.refusal(`peer ${number}`).then(() => refused++)
  await new Promise((resolve) => setImmediate(resolve))
  expect(refused).toBe(300 - 256)
})
