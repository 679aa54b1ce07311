import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Pool } from 'undici'

const SECONDS = 3
const CONNECTIONS = 8

/** How many GETs a second an address answers, measured by `wrk` if installed, else by a loop of our own. */
export async function requestsPerSecond(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const command = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, ...lines, url]
  try {
    const { stdout } = await promisify(execFile)('wrk', command)
    if (/Non-2xx/.test(stdout)) throw new Error(`${url} answers with errors:\n${stdout}`)
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ownLoop(new URL(url), headers)
  }
}

async function ownLoop({ origin, pathname }: URL, headers: Readonly<Record<string, string>>): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS })
  const started = performance.now()
  let answered = 0
  const work = async (): Promise<void> => {
    while (performance.now() - started < SECONDS * 1000) {
      const { statusCode, body } = await pool.request({ method: 'GET', path: pathname, headers })
      for await (const _ of body);
      if (statusCode !== 200) throw new Error(`${pathname}: ${statusCode}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  await pool.close()
  return answered / ((performance.now() - started) / 1000)
}
