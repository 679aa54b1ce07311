import { expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import type { Gateway } from '../../../src/data-plane/gateway/gateway.ts'
import { newCall } from '../../../src/data-plane/gateway/gateway.ts'
import { readWholeList } from '../../../src/data-plane/gateway/lists/read-whole-list.ts'
import { referenceLists } from '../../../src/data-plane/reference/reference-lists.ts'
import { openUpstream } from '../../../src/data-plane/upstream/upstream.ts'
import { compileOperations } from '../../../src/engine/compile/compile-operations.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startV1List } from '../reference/support/start-v1-list.ts'

const nobody = { peer: '', socketAddress: '', viaTrustedProxy: false }
const request = { method: 'GET', path: '', query: '', headers: {}, language: 'tr', requestId: 'r', ...nobody } as const

/** Reads the countries for a call that has `timeMs`. */
async function countries() {
  const v1 = await startV1List(500, 10, 150)
  const upstream = openUpstream({ baseUrl: new URL(v1.url), timeoutMs: 20_000 })
  const lists = referenceLists({ ttlMs: 60_000, staleMs: 0 })
  closeAtEnd(() => Promise.all([upstream.close(), lists.close()]))
  const operation = compileOperations(operations).find(({ mapping }) => mapping.id === 'country-list')
  const v1Call = operation?.translateRequest({ query: '', body: new Uint8Array() }).call
  if (operation === undefined || v1Call === undefined) throw new Error('there is no such list')
  const read = (timeMs?: number) => {
    const call = newCall(request, { deadline: timeMs === undefined ? undefined : performance.now() + timeMs })
    return readWholeList(
      { v1: upstream, lists, releaseHeaders: { v1: undefined, legacy: undefined } } as Gateway,
      call,
      operation,
      v1Call,
    )
  }
  return { read, v1 }
}

test('a call stops waiting for a list at its deadline, and other calls still get the list that it requested', async () => {
  const { read, v1 } = await countries()
  const hurried = expect(read(50)).rejects.toMatchObject({ kind: 'timeout' })
  const list = read()
  await hurried
  expect(JSON.parse(Buffer.from((await list).body).toString())).toHaveLength(500)
  expect(v1.pages).toHaveLength(3)
})

test('a call with enough time gets the list', async () => {
  const { read } = await countries()
  expect((await read(20_000)).body.length).toBeGreaterThan(500)
})
