import type { GuideTexts, MakeGuide } from '../../src/exchange/guide-form.ts'
import { type Received, startHttpServer } from './http-server.ts'
import type { LegacyCall, Reply } from './legacy-client.ts'
import { type Settings, type StartedGateway, startGateway } from './start-gateway.ts'
import { v1Page, v1Record } from './v1-bodies.ts'
import { wholeToken } from './whole-token.ts'

export const GUIDE = '/.legacy-gateway/guide'
const SECRET = 'right'

/** A gateway at which clients read their guides. */
export interface GuideGateway {
  readonly gateway: StartedGateway
  /** Logs in with a body of its own. */
  logInWith(body: string): Promise<Reply>
  /** Returns the client's new token. */
  logIn(clientId: string): Promise<string>
  /** Asks for a guide; a token is sent as `Bearer`. */
  read(token?: string, call?: Partial<LegacyCall>): Promise<Reply>
}

/** Services that issue tokens, and a gateway before them. */
export interface GuideServices extends GuideGateway {
  /** The tokens that are valid, at either service. */
  readonly valid: Set<string>
  readonly v1: { readonly received: readonly Received[]; status?: number | undefined }
  readonly legacy: { readonly received: readonly Received[] }
  /** The clients whose guides were made. */
  readonly made: string[]
  /** Starts another gateway before the same services. */
  startAnother(): Promise<GuideGateway>
}

/** What a guide says of a client. */
export const guideTextsOf = (client: string): GuideTexts => ({
  html: `<!doctype html><p>Guide of <b>${client}</b>`,
  markdown: `# Guide of ${client}`,
  json: JSON.stringify({ client }),
})

/**
 * Starts services and gateway. Each login, whose secret must be `right`, gives a new token.
 * @param options.hasLegacy whether there is a legacy service; then the gateway seals tokens.
 * @param options.guide makes guides in place of those of `guideTextsOf`, which know everybody but `nobody`.
 */
export async function startGuideServices(
  options: { readonly hasLegacy?: boolean; readonly settings?: Partial<Settings>; readonly guide?: MakeGuide } = {},
): Promise<GuideServices> {
  const valid = new Set<string>()
  const made: string[] = []
  const tokenFor = (side: string, body: string): string | undefined => {
    const { clientId, secretKey } = JSON.parse(body) as Record<string, string>
    if (secretKey !== SECRET) return undefined
    const token = `${side}-${clientId}-${valid.size}`
    valid.add(token)
    return token
  }
  const holds = (side: string, authorization = ''): boolean => {
    const token = /^bearer +(.*)$/i.exec(authorization)?.[1]
    return token?.startsWith(side) === true && valid.has(token)
  }
  const state: { status?: number | undefined } = {}
  const v1 = await startHttpServer(({ target, headers, body }, response) => {
    const isLogin = target.endsWith('/auth/application')
    const token = isLogin ? tokenFor('v1', body) : undefined
    if (state.status !== undefined)
      response.writeHead(state.status).end('{"success":false,"code":"NO","message":"No."}')
    else if (isLogin ? token === undefined : !holds('v1', headers.authorization)) {
      response.writeHead(401).end('{"success":false,"code":"NO","message":"Olmadı."}')
    } else {
      const perPage = Number(/perPage=(\d+)/.exec(target)?.[1] ?? 25)
      response.end(JSON.stringify(isLogin ? v1Record({ token }) : v1Page([], { perPage })))
    }
  })
  const legacy = await startHttpServer(({ target, headers, body }, response) => {
    if (target === '/auth/application') response.end(JSON.stringify({ token: tokenFor('legacy', body) }))
    else if (holds('legacy', headers.authorization)) response.end('{"data":[]}')
    else response.writeHead(target.startsWith('/api/') ? 401 : 404).end('{"message":"legacy says no"}')
  })
  const startOne = async (): Promise<GuideGateway> => {
    const gateway = await startGateway(v1.url, {
      settings: { clientGuides: true, ...options.settings },
      ...(options.hasLegacy === true && { legacyUrl: legacy.url }),
      async guide(client, language) {
        made.push(client)
        if (options.guide !== undefined) return options.guide(client, language)
        return client === 'nobody' ? undefined : guideTextsOf(client)
      },
    })
    const logInWith = (body: string): Promise<Reply> => gateway.call({ path: '/auth/application', body })
    return {
      ...{ gateway, logInWith },
      logIn: (clientId) => wholeToken(() => logInWith(JSON.stringify({ clientId, secretKey: SECRET }))),
      read: (token, { headers, ...call } = {}) =>
        gateway.call({
          path: GUIDE,
          ...call,
          headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
        }),
    }
  }
  return {
    ...(await startOne()),
    ...{ valid, legacy, made, startAnother: startOne },
    v1: Object.assign(state, { received: v1.received }),
  }
}
