import type { CopySettings } from '../../src/app/config-of-copy.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from './clean-up.ts'
import { type HttpServer, startHttpServer } from './http-server.ts'
import { callLegacy } from './legacy-client.ts'
import { type SideBySide, startSideBySide } from './side-by-side.ts'

/** Another account than the clients'. Its organization has no shipments of theirs. */
export const account = { clientId: 'demo-client', secretKey: 'demo-secret' }

/** The settings of a copy, with the demo client’s account. */
export const copyAt = (url: string, more: Partial<CopySettings> = {}): CopySettings => ({
  ...{ baseUrl: new URL(url), account, releaseHeader: undefined },
  ...more,
})

/** All writes go to the copy. */
export const ROLLOUT = {
  operations: { '*': { serve: 'legacy', shadow: 1, shadowWrites: 'copy', target: 0.5 } },
  limits: { copyWritesPerSecond: 500 },
}

/** A gateway between the faces of a sandbox, whose writes go to a copy. */
export const startCopied = (
  url: string,
  rollout: object = ROLLOUT,
  more: Partial<CopySettings> = {},
): Promise<SideBySide> => startSideBySide(rollout, { settings: () => ({ copy: copyAt(url, more) }) })

/** What answers in place of the copy. */
export interface Instead {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

async function startCopy(): Promise<string> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  return sandbox.v1Url
}

/** Passes requests on to a copy, and records them. `instead` may answer in its place. */
export async function startRecordedCopy(
  instead: (target: string, nth: number) => Instead | undefined = () => undefined,
): Promise<HttpServer> {
  const copy = await startCopy()
  const counts = new Map<string, number>()
  return startHttpServer(async ({ method, target, headers, body }, response) => {
    const nth = (counts.get(target) ?? 0) + 1
    counts.set(target, nth)
    const answer = instead(target, nth)
    if (answer !== undefined) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
      return
    }
    const passed = await callLegacy(copy, {
      ...{ method, path: target, body },
      headers: {
        'content-type': 'application/json',
        ...(headers.authorization !== undefined && { authorization: headers.authorization }),
      },
    })
    response.writeHead(passed.status, { 'content-type': 'application/json', 'x-release': 'copy-7' }).end(passed.text)
  })
}
