import { deepStrictEqual } from 'node:assert'
import type { Running } from './start-peers.ts'
import { TOKEN, type Work } from './work.ts'

/** Checks that all give the same answer as the first: the status, and the JSON of the body. */
export async function assertSameAnswers([first, ...others]: readonly Running[], works: readonly Work[]): Promise<void> {
  for (const work of works) {
    const wanted = first === undefined ? undefined : await answerOf(first, work)
    for (const peer of others) {
      deepStrictEqual(await answerOf(peer, work), wanted, `${peer.name} answers ${work.name} with something else`)
    }
  }
}

async function answerOf({ url }: Running, { method, path, body, status }: Work): Promise<unknown> {
  const headers = { authorization: TOKEN, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, body: body ?? null })
  deepStrictEqual(answer.status, status, `${url}${path}: ${answer.status}`)
  return answer.json()
}
