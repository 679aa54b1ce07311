import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startCountingCopy } from '../../support/counting-copy.ts'
import { facesOf, logOf, type ServiceProcess, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { wholeToken } from '../../support/whole-token.ts'
import { makeCertificates } from '../certificates.ts'
import { isInstalled, makeFolder } from '../start-program.ts'

const LOGIN = '{"clientId":"demo-client","secretKey":"demo-secret"}'
const ROLLOUT = {
  operations: { '*': { serve: 'legacy', shadow: 1, shadowWrites: 'copy' } },
  limits: { copyWritesPerSecond: 200 },
}
/** Writes of each phase. */
const WRITES = 20

test.skipIf(!isInstalled('openssl'))(
  'a gateway that is killed, stopped, or loses its control plane sends no write to its copy twice, over TLS with a client certificate',
  { timeout: 120_000 },
  async () => {
    const { ca, server, client } = makeCertificates()
    const copy = await startCountingCopy({
      ...{ key: readFileSync(server.key), cert: readFileSync(server.certificate), ca: readFileSync(ca) },
      ...{ requestCert: true, rejectUnauthorized: true },
    })
    closeAtEnd(copy.close)
    const folder = makeFolder({ 'rollout.json': JSON.stringify(ROLLOUT) })
    const faces = await facesOf(startService('sandbox', {}))
    const start = (): ServiceProcess =>
      startService('serve', {
        ...{ V1_BASE_URL: faces.v1, LEGACY_BASE_URL: faces.legacy, ROLLOUT_FILE: join(folder, 'rollout.json') },
        ...{ TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'), STATE_DB: join(folder, 'state.db') },
        ...{ V1_COPY_BASE_URL: copy.url, V1_COPY_CLIENT_ID: 'c', V1_COPY_SECRET_KEY: 's', V1_COPY_CA: ca },
        ...{ V1_COPY_CLIENT_CERT: client.certificate, V1_COPY_CLIENT_KEY: client.key, DRAIN_MS: '0' },
        ...{ SHUTDOWN_GRACE_MS: '1000', FAULT_FILE: join(folder, 'fault') },
        NODE_OPTIONS: `--import ${new URL('../../support/control-plane-faults.ts', import.meta.url).href}`,
      })
    let gateway = start()
    let { legacy } = await servingAt(gateway)
    const post = (path: string, body: string, token?: string): Promise<Response> =>
      fetch(legacy + path, {
        ...{ method: 'POST', body },
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      })
    const token = await wholeToken(async () => ({ text: await (await post('/auth/application', LOGIN)).text() }))

    let made = 0
    /** Imports and completes; every third connection to the copy breaks. */
    const write = async (phase: string): Promise<void> => {
      for (let nth = 0; nth < WRITES; nth++) {
        if (nth % 3 === 1) copy.fates.push(nth % 2 === 0 ? 'before' : 'after')
        const name = `${phase} ${nth}`
        const created = await post('/api/single/point/import', JSON.stringify({ name, shipmentId: 'x' }), token)
        expect(created.status).toBe(200)
        const { id } = (await created.json()) as { readonly id: number }
        expect((await post('/api/single/point/import/complete', JSON.stringify({ id }), token)).status).toBe(204)
        made++
      }
    }
    const arrivedIn = (phase: string): number => [...copy.arrived.keys()].filter((name) => name.includes(phase)).length

    await write('first')
    await until(() => arrivedIn('first') > WRITES / 2)
    writeFileSync(join(folder, 'fault.new'), 'end')
    renameSync(join(folder, 'fault.new'), join(folder, 'fault'))
    await write('without')
    await until(() => logOf(gateway).some(({ msg }) => msg === 'the control plane is back'))
    await write('second')
    await until(() => arrivedIn('second') > WRITES / 2)
    await write('killed')
    gateway.child.kill('SIGKILL')
    await gateway.exit

    gateway = start()
    legacy = (await servingAt(gateway)).legacy
    await write('third')
    await until(() => arrivedIn('third') > WRITES / 2)
    await write('stopped')
    gateway.child.kill('SIGTERM')
    expect(await gateway.exit).toBe(0)

    expect([...copy.arrived].filter(([, times]) => times > 1)).toEqual([])
    expect(copy.arrived.has('complete undefined')).toBe(false)
    expect(made).toBe(6 * WRITES)
  },
)
