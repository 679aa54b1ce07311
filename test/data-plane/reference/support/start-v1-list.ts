import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { v1Error, v1Page } from '../../../support/v1-bodies.ts'

/** A v1 that has one list, and the calls that it got. */
export interface V1List {
  readonly url: string
  /** The pages that were requested, in order. */
  readonly pages: readonly number[]
  /** Statuses that replace answers, by page or by token. */
  readonly refuse: Map<number | string, number>
}

/**
 * Listens on loopback until the file's tests have run. Each row has an id and a name of `nameLength` letters; each answer
 * takes `delayMs`.
 */
export async function startV1List(total: number, nameLength = 10, delayMs = 0): Promise<V1List> {
  const pages: number[] = []
  const refuse = new Map<number | string, number>()
  const server = createServer(async ({ url = '', headers }, response) => {
    const query = new URLSearchParams(url.split('?')[1])
    const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))]
    pages.push(page)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const refusal = refuse.get(page) ?? refuse.get(headers.authorization ?? '')
    const first = (page - 1) * perPage + 1
    const rows = Array.from({ length: Math.min(perPage, total - first + 1) }, (_, index) => ({
      id: first + index,
      name: 'ş'.repeat(nameLength),
    }))
    const body =
      refusal === undefined
        ? v1Page(rows, { page, perPage, total, pageCount: Math.ceil(total / perPage) })
        : v1Error(refusal, 'NO').body
    response.writeHead(refusal ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pages, refuse }
}
