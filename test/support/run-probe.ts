import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../src/control-plane/evidence/report/report-json.ts'
import { type HttpServer, type Received, startHttpServer } from './http-server.ts'
import { runCommand } from './run-command.ts'
import { DEMO, newDirectory, type Ran, type Services, UNSET } from './run-replay.ts'

/** Runs `legacy-gateway probe` in this process to its end, by default as the demo account. */
export async function runProbe(
  { legacyUrl, v1Url }: Pick<Services, 'legacyUrl' | 'v1Url'>,
  parameters: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Ran> {
  const directory = newDirectory()
  const words = ['probe', '--report', directory, '--legacy', legacyUrl, '--v1', v1Url, ...DEMO, ...parameters]
  const ran = await runCommand(words, { ...UNSET, ...env })
  const report: Ran['report'] = (name) => {
    const file = join(directory, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  return { ...ran, report, json: () => JSON.parse(report('report.json')) as Report }
}

/** Passes calls on to a service, and lets a test change the JSON of successes on the way. */
export function passOn(
  url: string,
  change: (request: Received, json: unknown) => unknown = (_, json) => json,
): Promise<HttpServer> {
  return startHttpServer(async (request, response) => {
    const { method, target, headers, body } = request
    const kept = ['authorization', 'accept-language', 'content-type'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
    const answer = await fetch(url + target, {
      method,
      headers: Object.fromEntries(kept),
      ...(method === 'GET' ? {} : { body }),
    })
    const text = await answer.text()
    const changed = answer.ok && text !== '' ? JSON.stringify(change(request, JSON.parse(text))) : text
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(answer.status === 204 ? undefined : changed)
  })
}

/** The requests that a service got for a path, without its query. */
export const callsOf = ({ received }: HttpServer, path: string): readonly Received[] =>
  received.filter(({ target }) => target.split('?')[0] === path)
