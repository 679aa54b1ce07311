import { Pool } from 'undici'

/** Parallel programs that make one call after the other, and the pause between: about 500 calls a second. */
const CALLERS = 4
const PAUSE_MS = 6

/** Of times in any order. */
export const p99Of = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** A client of the gateway that makes ordinary calls. */
export interface Callers {
  /** Makes calls for so many seconds. Returns their times, in milliseconds. */
  times(seconds: number): Promise<readonly number[]>
  /** Makes calls as `times` does. Returns their p99. */
  p99(seconds: number): Promise<number>
  /** Makes one call, and discards its answer. */
  post(path: string, body: string): Promise<void>
  stop(): Promise<void>
}

/** Logs in, for callers of the invoice list. @param pauseMs of each, after each call. */
export async function openCallers(url: string, pauseMs = PAUSE_MS): Promise<Callers> {
  const pool = new Pool(url, { connections: CALLERS })
  const others = new Pool(url)
  const login = await pool.request({
    method: 'POST',
    path: '/auth/application',
    body: '{"clientId":"a","secretKey":"b"}',
  })
  const { token } = (await login.body.json()) as { readonly token: string }
  const headers = { authorization: `Bearer ${token}` }
  const post = async (from: Pool, path: string, body: string): Promise<void> => {
    const { statusCode, body: answer } = await from.request({ method: 'POST', path, headers, body })
    await answer.dump()
    if (statusCode !== 200) throw new Error(`${path} answered with ${statusCode}`)
  }
  const timesOf = async (seconds: number): Promise<readonly number[]> => {
    const times: number[] = []
    const end = performance.now() + seconds * 1_000
    const call = async (): Promise<void> => {
      while (performance.now() < end) {
        const started = performance.now()
        await post(pool, '/api/invoice/list', '{}')
        times.push(performance.now() - started)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    return times
  }
  return {
    times: timesOf,
    p99: async (seconds) => p99Of(await timesOf(seconds)),
    post: (path, body) => post(others, path, body),
    stop: async () => {
      await Promise.all([pool.close(), others.close()])
    },
  }
}
