import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Report } from '../../src/control-plane/evidence/report/report-json.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from './clean-up.ts'
import { type Ran as RanCommand, runCommand, uncoloured } from './run-command.ts'

/** The legacy face of one sandbox and the v1 face of another. Both stores start alike, so both sides answer alike. */
export interface Services {
  readonly legacyUrl: string
  readonly v1Url: string
  /** Plants a fault (docs/sandbox.md "Faults on demand"). */
  plant(side: 'legacy' | 'v1', fault: object): Promise<void>
}

/** @param deviate a MAPPING_FILE that would correct how both deviate; undefined: they do not. */
export async function startServices(deviate?: string): Promise<Services> {
  const options = { host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:', deviate }
  const [control, candidate] = [await startSandbox(options), await startSandbox(options)]
  closeAtEnd(() => control.close())
  closeAtEnd(() => candidate.close())
  const urls = { legacy: control.legacyUrl ?? '', v1: candidate.v1Url }
  return {
    legacyUrl: urls.legacy,
    v1Url: urls.v1,
    async plant(side, fault) {
      const answer = await fetch(`${urls[side]}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
      expect(answer.status, await answer.text()).toBe(201)
    },
  }
}

/** The credentials of the sandbox's demo account. */
export const DEMO = ['--client-id', 'demo-client', '--secret-key', 'demo-secret'] as const

export interface Ran extends RanCommand {
  /** The text of a report; empty if it was not written. */
  report(name: 'report.json' | 'report.html' | 'junit.xml' | 'propose.json'): string
  json(): Report
}

/** The reports that a run leaves in a directory. */
function reportsIn(directory: string): Pick<Ran, 'report' | 'json'> {
  const report: Ran['report'] = (name) => {
    const file = join(directory, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  return { report, json: () => JSON.parse(report('report.json')) as Report }
}

export interface Running {
  readonly child: ChildProcess
  errors(): string
  readonly end: Promise<Ran>
}

/** A new directory, which is removed after the file's tests. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'replay-'))
  closeAtEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function fileOf(content: string | Uint8Array): string {
  const file = join(newDirectory(), 'recording')
  writeFileSync(file, content)
  return file
}

/** The environment of the test run. */
export const UNSET = {
  ...{ V1_BASE_URL: '', LEGACY_BASE_URL: '', BASE_PATH: '', ROLLOUT_FILE: '', MAPPING_FILE: '' },
  ...{ HTTPS_PROXY: '', https_proxy: '', NO_PROXY: '', no_proxy: '' },
}

/** By default the reports go into a new directory. */
function withDirectory(parameters: readonly string[]): {
  readonly directory: string
  readonly words: readonly string[]
} {
  if (parameters.includes('--report')) return { directory: '', words: ['replay', ...parameters] }
  const directory = join(newDirectory(), 'made', 'for', 'it')
  return { directory, words: ['replay', '--report', directory, ...parameters] }
}

/** Starts `legacy-gateway replay` in a process of its own. */
export function startReplay(parameters: readonly string[], env: Record<string, string> = {}): Running {
  const { directory, words } = withDirectory(parameters)
  const child = spawn('node', ['src/cli/bin.js', ...words], { env: { ...uncoloured, ...UNSET, ...env } })
  closeAtEnd(() => child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const end = new Promise<Ran>((resolve) => {
    child.once('close', (exit) => resolve({ exit, output, errors, ...reportsIn(directory) }))
  })
  return { child, errors: () => errors, end }
}

/** Runs `legacy-gateway replay` in this process to its end. */
export async function runReplay(parameters: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const { directory, words } = withDirectory(parameters)
  return { ...(await runCommand(words, { ...UNSET, ...env })), ...reportsIn(directory) }
}

/** Replays a file against services, by default as the demo account, and waits for its end. */
export const replayOver = (
  { legacyUrl, v1Url }: Pick<Services, 'legacyUrl' | 'v1Url'>,
  content: string | Uint8Array,
  parameters: readonly string[] = DEMO,
  env: Record<string, string> = {},
  run = runReplay,
): Promise<Ran> => run([fileOf(content), '--legacy', legacyUrl, '--v1', v1Url, ...parameters], env)

/** A line of a recording. */
export function line(request: string, body?: object, language?: string): string {
  const [method, path] = request.split(' ')
  const headers = language === undefined ? {} : { 'accept-language': language }
  return `${JSON.stringify({ v: 1, at: '2025-01-01T00:00:00.000Z', operation: 'any', request: { method, path, headers, body } })}\n`
}

export const INVOICES = 'POST /api/invoice/list'
export const COUNTRIES = 'GET /country/all'
export const UNITS = 'GET /api/unit/of/measure/all'
export const IMPORT = 'POST /api/single/point/import'

/** The differences of an operation that count, each as one line. */
export function counting(report: Report, operation: string): readonly string[] {
  const found = report.operations.find((one) => one.operation === operation)
  return (found?.differences ?? [])
    .filter(({ ignored }) => ignored === null)
    .map(({ kind, path, v1Path, requests, lines }) => `${kind} ${path} < ${v1Path}: ${requests} (${lines.join(' ')})`)
}
