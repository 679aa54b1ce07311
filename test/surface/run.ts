import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { operations } from '../../mappings/index.ts'
import { freePort, listens } from '../bench/processes.ts'
import { planted } from '../demo/planted.ts'
import { sendTraffic } from '../demo/send-traffic.ts'
import { variableRows } from '../support/variable-tables.ts'
import { commandLines } from './command-lines.ts'
import { memberPaths } from './member-paths.ts'

// Lists what operators see of a checkout, one thing a line: variables, commands and their options, addresses of the admin port, members of its JSON, metrics,
// headers of answers, members of log lines and recordings, tables of the state. It looks from outside only, so it lists older checkouts too:
//   npm run surface -- [CHECKOUT] > FILE
// Two such files, compared with `diff`, show what a change changed for operators.

const checkout = resolve(process.argv[2] ?? '.')
/** How long the traffic lasts that fills the pages. */
const TRAFFIC_MS = 8_000
const SECOND_MS = 1_000
const ids = new Set(operations.map(({ id }) => id))
/** Generated documents, whose members belong to OpenAPI and Postman; others hold them. */
const DOCUMENTS = /openapi|postman/
const lines = new Set<string>()
const folder = mkdtempSync(join(tmpdir(), 'surface-'))
const children: ChildProcess[] = []

try {
  for (const { name, default: value } of variableRows(readFileSync(join(checkout, 'docs/configuration.md'), 'utf8'))) {
    lines.add(`variable ${name}, default ${value}`)
  }
  for (const line of await commandLines(checkout)) lines.add(line)
  await listServing()
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
console.log([...lines].sort().join('\n'))

async function listServing(): Promise<void> {
  const [v1, legacy, port, admin] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const at = (ofPort: number): string => `http://127.0.0.1:${ofPort}`
  await start('sandbox', { SANDBOX_V1_PORT: `${v1}`, SANDBOX_LEGACY_PORT: `${legacy}`, SANDBOX_DB: ':memory:' }, legacy)
  for (const { fault } of planted) {
    await fetch(`${at(legacy)}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ calls: 'all', ...fault }) })
  }
  writeFileSync(
    join(folder, 'rollout.json'),
    JSON.stringify({
      operations: {
        '*': { serve: 'legacy', shadow: 1, shadowWrites: 'translate-only', target: 0.97 },
        'country-list': { serve: 'legacy', shadow: 1, plan: { steps: [1, 50, 100] } },
        'invoice-list': { serve: 'v1', shadow: 1 },
      },
    }),
  )
  const files = { STATE_DB: 'state.db', RECORD_FILE: 'traffic.ndjson', ROLLOUT_FILE: 'rollout.json' }
  const gateway = await start(
    'serve',
    {
      ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(folder, file)])),
      ...{ PORT: `${port}`, ADMIN_PORT: `${admin}`, V1_BASE_URL: at(v1), LEGACY_BASE_URL: at(legacy) },
      TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    port,
  )
  await sendTraffic(at(port), TRAFFIC_MS, () => {})
  await listHeaders(at(port))
  await new Promise((done) => setTimeout(done, 2 * SECOND_MS))
  await listAdmin(at(admin))
  await listMetrics(at(admin))
  gateway.child.kill()
  await new Promise((done) => gateway.child.once('close', done))
  for (const line of gateway.log.join('').trim().split('\n')) addMembers('log', line)
  listFiles()
}

/** Starts a command of the checkout, until its port listens. */
async function start(command: string, env: Readonly<Record<string, string>>, port: number) {
  const child = spawn(process.execPath, ['src/cli/legacy-gateway.ts', command], {
    cwd: checkout,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const log: string[] = []
  child.stdout.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${command} does not start: ${log.join('')}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return { child, log }
}

/** Adds the headers of answers to clients: of v1, of legacy, of a mistake, of an unknown path. */
async function listHeaders(url: string): Promise<void> {
  const post = (path: string, body: object, headers = {}): Promise<Response> =>
    fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers })
  const login = await post('/auth/application', { clientId: 'demo-client', secretKey: 'demo-secret' })
  const authorization = `Bearer ${((await login.json()) as { readonly token: string }).token}`
  const answers = {
    'answered by v1': await post('/api/invoice/list', {}, { authorization }),
    'a mistake': await post('/api/invoice/list', { page: 'none' }, { authorization }),
    'answered by legacy': await fetch(`${url}/country/all`, { headers: { authorization } }),
    'an unknown path': await fetch(`${url}/unknown`),
  }
  for (const [of, { headers, status }] of Object.entries(answers)) {
    for (const name of headers.keys()) lines.add(`header ${name}, ${of}, ${status}`)
  }
}

/** Follows all links of the admin port's pages, and the addresses that its documents name. */
async function listAdmin(url: string): Promise<void> {
  const documents = readdirSync(join(checkout, 'docs')).filter((file) => file.endsWith('.md'))
  const named = documents.flatMap((file) =>
    [...readFileSync(join(checkout, 'docs', file), 'utf8').matchAll(/`(?:GET )?(\/[a-z][\w./-]*)`/g)].map(
      (found) => found[1] ?? '',
    ),
  )
  const [waiting, seen] = [['/', ...named], new Set<string>()]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const general = generalPath(path)
    if (seen.has(general)) continue
    seen.add(general)
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetch(url + path, { headers: { accept } })
      const text = await answer.text()
      const type = answer.headers.get('content-type')?.split(';')[0] ?? 'none'
      if (answer.status === 404) continue
      lines.add(`address GET ${general.split('?')[0]}, ${answer.status}, ${type}`)
      if (type === 'application/json' && !DOCUMENTS.test(path)) addMembers(`json ${general}`, text)
      if (type === 'text/html')
        for (const [, to = ''] of text.matchAll(/href="(\/[^"#]*)/g)) waiting.push(to.replaceAll('&amp;', '&'))
    }
  }
}

/** A path with placeholders for operations, clients and hashes, and without the values of its query. */
function generalPath(path: string): string {
  const [before = '', query] = path.split('?')
  const parts = before.split('/').map((part) => {
    if (ids.has(part)) return '{operation}'
    return /^[0-9a-f]{8,}$|client/i.test(part) && part !== 'clients' && part !== 'clients.csv' ? '{client}' : part
  })
  const names = query === undefined ? [] : [...new URLSearchParams(query).keys()]
  return parts.join('/') + (names.length === 0 ? '' : `?${[...new Set(names)].sort().join('&')}`)
}

async function listMetrics(url: string): Promise<void> {
  const text = await (await fetch(`${url}/metrics`)).text()
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)/gm)) lines.add(`metric ${name}, ${type}`)
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    if (/_(?:bucket|count|sum)$/.test(name ?? '')) continue
    const names = Array.from(labels.matchAll(/(\w+)="/g), ([, label]) => label)
    lines.add(`metric ${name}, labels ${names.sort().join(', ')}`)
  }
}

function listFiles(): void {
  for (const line of readFileSync(join(folder, 'traffic.ndjson'), 'utf8').trim().split('\n'))
    addMembers('recording', line)
  const db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true })
  for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all())
    lines.add(`table ${String(name)}`)
  db.close()
}

function addMembers(of: string, text: string): void {
  if (text === '') return
  for (const path of memberPaths(JSON.parse(text), ids)) lines.add(`${of} ${path}`)
}
