import { type DemoCall, eachOnce, nextCall } from './day-of-traffic.ts'

const ACCOUNTS = [
  { login: { clientId: 'demo-client', secretKey: 'demo-secret' }, ships: true },
  { login: { clientId: 'other-client', secretKey: 'other-secret' }, ships: false },
] as const
/** The number of programs that call side by side, each one call after the other. */
const PROGRAMS = 4
/** The pause of a program between two calls. */
const PAUSE_MS = 15

export interface Sent {
  readonly calls: number
  /** Number of answers other than 2xx. */
  readonly failed: number
}

/** Some programs log in and call the legacy interface for a while. `show` gets the number of answered calls. */
export async function sendTraffic(url: string, forMs: number, show: (calls: number) => void): Promise<Sent> {
  const end = performance.now() + forMs
  let calls = 0
  let failed = 0
  const post = (path: string, body: object, headers: Record<string, string>): Promise<Response> =>
    fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers })

  const program = async (account: (typeof ACCOUNTS)[number], first: DemoCall[]): Promise<void> => {
    const login = (await (await post('/auth/application', account.login, {})).json()) as { readonly token: string }
    let following: DemoCall | undefined
    while (performance.now() < end || first.length > 0 || following !== undefined) {
      const { path, body, language = 'tr', next } = following ?? first.shift() ?? nextCall(account.ships)
      const headers = { authorization: `Bearer ${login.token}`, 'accept-language': language }
      const answer = await (body === undefined ? fetch(url + path, { headers }) : post(path, body, headers))
      const text = await answer.text()
      following = answer.ok ? next?.(JSON.parse(text)) : undefined
      calls++
      if (!answer.ok) failed++
      show(calls)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  await Promise.all(
    Array.from({ length: PROGRAMS }, (_, index) =>
      program(ACCOUNTS[index % 2 === 0 ? 0 : 1], index === 0 ? eachOnce() : []),
    ),
  )
  return { calls, failed }
}
