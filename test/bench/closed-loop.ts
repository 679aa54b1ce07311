import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadOf } from './overload.ts'
import { type RawLoad, requestOf } from './peers/raw-load.ts'

/** What a closed loop got, per second. */
export interface Served {
  readonly succeeded: number
  readonly refused: number
}

/**
 * Generates load in a closed loop from 127.0.0.1: with `wrk` if it is installed, because it takes a fraction of the processor time of our own
 * load generator, which would slow down whatever else is measured on the same machine.
 */
export async function closedLoop(load: Omit<RawLoad, 'rate' | 'from'>): Promise<Served> {
  const { url, connections, warmUpSeconds, seconds } = load
  const folder = await mkdtemp(join(tmpdir(), 'closed-loop-'))
  try {
    const script = join(folder, 'request.lua')
    await writeFile(script, luaOf(load))
    const lasts = warmUpSeconds + seconds
    const options = ['-t1', `-c${connections}`, `-d${lasts}s`, '--timeout', '30s', '-s', script]
    const { stdout } = await promisify(execFile)('wrk', [...options, url])
    const answered = Number(/(\d+) requests in/.exec(stdout)?.[1])
    const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0)
    return { succeeded: (answered - refused) / lasts, refused: refused / lasts }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const { goodput, late, refused } = await loadOf({ ...load, from: '127.0.0.1' })
    return { succeeded: goodput + late, refused }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A script for wrk that makes the same call again and again. */
function luaOf(load: Pick<RawLoad, 'path' | 'bodyBytes'>): string {
  const { method, path, headers, body } = requestOf(load)
  return [
    `wrk.method = ${JSON.stringify(method)}`,
    `wrk.path = ${JSON.stringify(path)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    `wrk.body = [==[${body}]==]`,
  ].join('\n')
}
