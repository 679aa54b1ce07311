import { hash } from 'node:crypto'
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry } from '../../../../src/control-plane/cutover/audit.ts'
import { placeOf } from '../../../../src/planes/decisions.ts'
import { startSandbox } from '../../../../src/sandbox/start-sandbox.ts'
import { closeAtEnd, removeAtEnd } from '../../../support/clean-up.ts'
import { startHttpServer } from '../../../support/http-server.ts'
import { callLegacy, type Reply } from '../../../support/legacy-client.ts'
import { type Settings, type StartedGateway, startGateway } from '../../../support/start-gateway.ts'

/** Steps are taken as soon as v1 has answered one call. */
export const QUICK = { calls: 1, minutes: 0, withoutVerdict: 'a test' }

export const rolloutOf = (plan: object | undefined, others: object = {}): object => ({
  operations: { 'invoice-list': { serve: 'legacy', ...(plan !== undefined && { plan }), ...others } },
})

/** Returns the tokens of clients whose place is within these bounds, 0 to 100: a plan at more than `to` % has them answered by v1. */
export function clientsBetween(from: number, to: number, howMany: number): readonly string[] {
  const found: string[] = []
  for (let n = 0; found.length < howMany; n++) {
    const token = `client-${n}`
    const place = placeOf(hash('sha256', `Bearer ${token}`, 'base64url').slice(0, 22))
    if (place >= from && place < to) found.push(token)
  }
  return found
}

/** A sandbox, and gateways in front of it that share a rollout file. */
export interface CutoverBed {
  readonly folder: string
  readonly rolloutFile: string
  /** The path of the state file. */
  readonly stateDb: string
  /** Replaces the rollout file. */
  write(rollout: object): void
  /** From now on v1 answers every call with this status; undefined: as it should. */
  failV1(status: number | undefined): void
  start(settings?: Partial<Settings>): Promise<CutoverGateway>
}

export interface CutoverGateway extends StartedGateway {
  readonly adminUrl: string
  /** Asks for invoices as a client. Which side answered is in the log. */
  ask(token: string): Promise<Reply>
  /** Asks as a client, and returns which side answered. */
  answeredBy(token: string): Promise<unknown>
  /** The percentage at which the plan of invoices stands, as the metrics say; undefined: there is none. */
  percent(): Promise<number | undefined>
  /** The entries of the audit, newest first. */
  audit(): Promise<readonly AuditEntry[]>
  /** The state that the plan is in, as the metrics say. */
  state(): Promise<string | undefined>
}

const PATH = '/api/invoice/list'

export async function startCutoverBed(rollout: object): Promise<CutoverBed> {
  const folder = mkdtempSync(join(tmpdir(), 'cutover-'))
  const rolloutFile = join(folder, 'rollout.json')
  const stateDb = join(folder, 'state.db')
  const write = (text: object): void => {
    writeFileSync(`${rolloutFile}.new`, JSON.stringify(text))
    renameSync(`${rolloutFile}.new`, rolloutFile)
  }
  write(rollout)
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  removeAtEnd(folder)
  let failure: number | undefined
  const v1 = await startHttpServer(async ({ method, target, headers, body }, response) => {
    if (failure !== undefined) return void response.writeHead(failure).end()
    const { 'accept-language': language = '', 'content-type': type = 'application/json', authorization = '' } = headers
    const sent = { 'accept-language': language, 'content-type': type, authorization }
    const answer = await fetch(sandbox.v1Url + target, { method, headers: sent, ...(body !== '' && { body }) })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const faces = { v1: v1.url, legacy: sandbox.legacyUrl ?? '' }
  return {
    ...{ folder, rolloutFile, stateDb, write },
    failV1(status) {
      failure = status
    },
    async start(settings = {}) {
      const gateway = await startGateway(faces.v1, {
        legacyUrl: faces.legacy,
        settings: { rolloutFile, stateDb, ...settings },
      })
      const adminUrl = await gateway.openAdmin()
      const ask = (token: string): Promise<Reply> =>
        gateway.call({ path: PATH, body: '{}', headers: { authorization: `Bearer ${token}` } })
      const metric = async (pattern: RegExp): Promise<string | undefined> =>
        pattern.exec((await callLegacy(adminUrl, { path: '/metrics' })).text)?.[1]
      return {
        ...gateway,
        ...{ adminUrl, ask },
        async answeredBy(token) {
          await ask(token)
          return gateway.log.findLast(({ msg }) => msg === 'call')?.answeredBy
        },
        async percent() {
          const text = await metric(/^legacy_gateway_cutover_percent\{operation="invoice-list"\} (\S+)$/m)
          return text === undefined ? undefined : Number(text)
        },
        audit: async () =>
          (JSON.parse((await callLegacy(adminUrl, { path: '/audit' })).text) as { entries: AuditEntry[] }).entries,
        state: () => metric(/^legacy_gateway_cutover_state\{operation="invoice-list",state="([^"]+)"\} 1$/m),
      }
    },
  }
}
