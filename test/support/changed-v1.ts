import { type HttpServer, startHttpServer } from './http-server.ts'

/** Replaces the text of an answer; undefined: nothing in it changes. */
export type ChangeAnswer = (target: string, text: string) => string | undefined

/** Another release of a service, which gives some answers otherwise, and a header with refusals. It passes every call on. */
export const startChanged = (url: string, change: ChangeAnswer): Promise<HttpServer> =>
  startHttpServer(async ({ method, target, headers, body }, response) => {
    const kept = ['authorization', 'content-type', 'accept-language'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    const answer = await fetch(`${url}${target}`, {
      ...{ method, headers: Object.fromEntries(kept) },
      ...(method !== 'GET' && { body }),
    })
    const text = await answer.text()
    response.statusCode = answer.status
    response.setHeader('content-type', answer.headers.get('content-type') ?? 'application/json')
    if (answer.status >= 400) response.setHeader('retry-after', '1')
    response.end(change(target, text) ?? text)
  })
