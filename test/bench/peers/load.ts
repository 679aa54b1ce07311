import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { TOKEN, type Work } from './work.ts'

/** Answers a second; latencies in ms. */
export interface Figures {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

export interface Load {
  readonly connections: number
  readonly seconds: number
}

const run = promisify(execFile)

/**
 * Calls an address from this many connections for this long, by `wrk` if installed, else by `autocannon`.
 * @throws when an answer has an unexpected status, or is missing.
 */
export async function load(url: string, work: Work, { connections, seconds }: Load): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'load-'))
  try {
    const script = join(folder, 'work.lua')
    await writeFile(script, scriptOf(work))
    const command = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '--latency', '-s', script, url]
    const { stdout } = await run('wrk', command).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return { stdout: undefined }
    })
    return stdout === undefined ? await byAutocannon(url, work, { connections, seconds }, folder) : read(stdout, work)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The Lua script that tells wrk what to send, and prints its counts, with latencies in microseconds. */
const scriptOf = ({ method, path, body }: Work): string => `
  wrk.method, wrk.path = "${method}", "${path}"
  wrk.headers["authorization"], wrk.headers["content-type"] = "${TOKEN}", "application/json"
  ${body === undefined ? '' : `wrk.body = [==[${body}]==]`}
  done = function(summary, latency)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.timeout
    print("figures", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status, failed)
  end`

function read(stdout: string, { name, status }: Work): Figures {
  const figures = /^figures\s(.*)$/m.exec(stdout)?.[1]?.split('\t').map(Number) ?? []
  const [requests = 0, microseconds = 0, p50 = 0, p99 = 0, errors, failed] = figures
  // wrk counts all statuses from 400 as errors.
  if (requests === 0 || failed !== 0 || errors !== (status >= 400 ? requests : 0)) {
    throw new Error(`${name}: not what was asked for\n${stdout}`)
  }
  return { rate: requests / (microseconds / 1e6), p50: p50 / 1e3, p99: p99 / 1e3 }
}

interface AutocannonResult {
  readonly duration: number
  readonly requests: { readonly total: number }
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>
}

async function byAutocannon(url: string, work: Work, { connections, seconds }: Load, folder: string): Promise<Figures> {
  const input = join(folder, 'body')
  await writeFile(input, work.body ?? '')
  const headers = [`authorization=${TOKEN}`, 'content-type=application/json'].flatMap((header) => ['-H', header])
  const sent = work.body === undefined ? [] : ['-i', input]
  const options = ['--json', '-m', work.method, '-c', `${connections}`, '-d', `${seconds}`, ...headers, ...sent]
  const { stdout } = await run('npx', ['--no-install', 'autocannon', ...options, url + work.path])
  const { duration, requests, latency, statusCodeStats } = JSON.parse(stdout) as AutocannonResult
  if (statusCodeStats[work.status]?.count !== requests.total) throw new Error(`${work.name}: ${stdout}`)
  return { rate: requests.total / duration, p50: latency.p50, p99: latency.p99 }
}
