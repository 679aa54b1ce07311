import { Pool } from 'undici'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { median } from './measure.ts'

const LISTS = [
  '/api/v1/finance/invoices',
  '/api/v1/finance/invoices?perPage=200',
  '/api/v1/public/shared/countries',
  '/api/v1/public/shared/countries?perPage=200&search=a',
  '/api/v1/public/shared/cities',
  '/api/v1/public/shared/cities?perPage=200&page=40',
  '/api/v1/public/shared/counties?perPage=200',
  '/api/v1/shared/currencies?perPage=200',
  '/api/v1/shared/units-of-measure',
  '/api/v1/shared/export-codes',
]
const CALLS = 300

/** Measures list calls of the sandbox, one at a time over loopback, on its own port. */
export async function sandboxLists(print: (line: string) => void): Promise<void> {
  const started = performance.now()
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
  print(`Start on :memory: in ${(performance.now() - started).toFixed(0)} ms`)
  const pool = new Pool(sandbox.v1Url, { connections: 1 })
  try {
    const credentials = { clientId: 'demo-client', secretKey: 'demo-secret' }
    const login = await pool.request({
      method: 'POST',
      path: '/api/v1/auth/application',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    })
    const { data } = (await login.body.json()) as { readonly data: { readonly token: string } }
    for (const path of LISTS) {
      const times: number[] = []
      for (let call = 0; call < CALLS; call++) {
        const asked = performance.now()
        const answer = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${data.token}` } })
        if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
        await answer.body.bytes()
        times.push(performance.now() - asked)
      }
      times.sort((a, b) => a - b)
      print(`  ${median(times).toFixed(2)} ms median, ${times[Math.floor(CALLS * 0.99)]?.toFixed(2)} ms p99  ${path}`)
    }
  } finally {
    await pool.close()
    await sandbox.close()
  }
}
