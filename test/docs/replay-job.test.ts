import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type ChangeAnswer, startChanged } from '../support/changed-v1.ts'
import type { HttpServer } from '../support/http-server.ts'
import { uncoloured } from '../support/run-command.ts'
import { newDirectory } from '../support/run-replay.ts'
import { DEMO_LOGIN, startSideBySide } from '../support/side-by-side.ts'

/** A job as GitLab reads it. */
interface Job {
  readonly variables: Readonly<Record<string, string>>
  readonly script: string
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } }
}

const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```/m.exec(readFileSync('docs/replay.md', 'utf8')) ?? []
const [job] = Object.values(parse(yaml) as Readonly<Record<string, Job>>) as [Job]

const KEY = Buffer.alloc(32, 7)
const CALLS = 6

/** What GitLab puts in place of `$NAME` in a job's variables. */
const expanded = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => values[name] ?? '')

/** A working directory with what the job needs: a recording of a gateway, and its rollout file. */
let directory = ''
let v1Url = ''

beforeAll(async () => {
  directory = newDirectory()
  const sides = await startSideBySide(
    { operations: { '*': { serve: 'legacy' } } },
    { settings: () => ({ recordFile: join(directory, 'recordings/'), tokenKeys: [KEY], replicaId: 'one' }) },
  )
  v1Url = sides.v1Url
  for (let call = 0; call < CALLS; call++) {
    expect((await sides.call('/api/invoice/list', { perPage: call + 3 })).status).toBe(200)
  }
  expect((await sides.call('/api/single/point/import', { name: 'Tek', shipmentId: 'x' })).status).toBe(200)
  await sides.gateway.close()
  writeFileSync(join(directory, 'rollout.json'), JSON.stringify({ operations: { '*': { target: 0.6 } } }))
  mkdirSync(join(directory, 'bin'))
  const command = join(directory, 'bin', 'legacy-gateway')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${resolve('src/cli/bin.js')}" "$@"\n`)
  chmodSync(command, 0o755)
})

/** Runs the job as it is written, in processes of their own, against a release of v1. */
async function run(change: ChangeAnswer): Promise<{ exit: number | null; errors: string; v1: HttpServer }> {
  const v1 = await startChanged(v1Url, change)
  const { clientId, secretKey } = DEMO_LOGIN
  const given = { RECORDING_KEY: KEY.toString('base64'), SECRET: secretKey, V1_STAGING: v1.url, ID: clientId }
  const variables = Object.entries(job.variables).map(([name, text]) => [name, expanded(text, given)])
  const env = {
    ...{ ...uncoloured, PATH: [join(directory, 'bin'), process.env.PATH].join(delimiter) },
    ...{ ...given, ...Object.fromEntries(variables) },
  }
  const child = spawn('sh', ['-c', job.script], { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  return { exit: await new Promise((ended) => child.once('close', ended)), errors, v1 }
}

test('the job for CI in docs/replay.md passes a v1 that answers as recorded, which learns what its calls are for', async () => {
  const { exit, errors, v1 } = await run(() => undefined)
  expect(exit, errors).toBe(0)
  for (const path of [...job.artifacts.paths, job.artifacts.reports.junit]) {
    expect(existsSync(join(directory, path)), path).toBe(true)
  }
  const junit = readFileSync(join(directory, job.artifacts.reports.junit), 'utf8')
  expect(junit).toMatch(/invoice-list[\s\S]*ready/)
  // Once to log in, and once for each recorded read; the recorded write is not sent.
  expect(v1.received).toHaveLength(1 + CALLS)
  for (const { method, target, headers } of v1.received) {
    expect([method, target, headers['x-gateway-purpose']]).toEqual([
      target.includes('auth') ? 'POST' : 'GET',
      expect.any(String),
      'replay',
    ])
    expect(headers).not.toHaveProperty('x-forwarded-for')
  }
})

test('the job fails a v1 that answers otherwise', async () => {
  const { exit, errors } = await run((_, text) => text.replaceAll(/"currencyCode":"[^"]*"/g, '"currencyCode":"XXX"'))
  expect(exit, errors).toBe(1)
  const junit = readFileSync(join(directory, job.artifacts.reports.junit), 'utf8')
  expect(junit).toMatch(/<failure[\s\S]*currency\.code/)
})
