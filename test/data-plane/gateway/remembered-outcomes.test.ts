import { expect, it } from 'vitest'
import { type Call, newCall, type ServedOperation } from '../../../src/data-plane/gateway/gateway.ts'
import { MOST_REMEMBERED, unknownOutcomes } from '../../../src/data-plane/gateway/unknown-outcomes.ts'

const MINUTE = 60_000
let clock = 0
const request = {
  ...{ method: 'POST', path: '/', query: '', headers: {}, language: 'tr' as const, requestId: 'id' },
  ...{ peer: '', socketAddress: '', viaTrustedProxy: undefined },
}

function write(client: string): Call {
  const operation = { mapping: { id: 'thing-create', effect: 'write' } } as ServedOperation
  const call = newCall({ ...request, peer: client }, { operation })
  call.notes.v1Asking.hasLeft = true
  return call
}

/** Bytes that nobody may read. */
const unread = new Proxy(new Uint8Array(), {
  get() {
    throw new Error('the body was read')
  },
})
const bytes = (text: string): Uint8Array => Buffer.from(text)
const start = () => {
  clock = 1_000_000
  const outcomes = unknownOutcomes({ get: () => undefined }, () => clock)
  return (client: string, body: Uint8Array, status: number, took = 0) => {
    const started = clock
    clock += took
    return outcomes.settle(write(client), body, { status, error: undefined, started })
  }
}

it('a write is remembered for 15 minutes after its end', () => {
  const settle = start()
  expect(settle('a', bytes('x'), 500, 30_000)).toEqual({ isUnknown: true, repeats: undefined })
  clock += 15 * MINUTE
  expect(settle('a', bytes('x'), 201)?.repeats).toMatchObject({ first: { status: 500 }, again: { status: 201 } })
  settle('a', bytes('x'), 500)
  clock += 15 * MINUTE + 1
  expect(settle('a', bytes('x'), 201)).toBeUndefined()
})

it('a write that was under way when the first one ended repeats nothing', () => {
  const settle = start()
  const early = clock
  settle('a', bytes('x'), 500, 100)
  clock = early
  expect(settle('a', bytes('x'), 201, 200)).toBeUndefined()
})

it('no body is read of a client that has had no unknown outcome', () => {
  const settle = start()
  expect(settle('a', unread, 201)).toBeUndefined()
  settle('a', bytes('x'), 500)
  expect(settle('b', unread, 201)).toBeUndefined()
  clock += 16 * MINUTE
  expect(settle('a', unread, 201)).toBeUndefined()
})

it('the newest 10,000 are remembered', () => {
  const settle = start()
  for (let n = 0; n <= MOST_REMEMBERED; n++) settle('a', bytes(`${n}`), 500)
  expect(settle('a', bytes('0'), 201)).toBeUndefined()
  expect(settle('a', bytes('1'), 201)?.repeats).toBeDefined()
  expect(settle('a', bytes(`${MOST_REMEMBERED}`), 201)?.repeats).toBeDefined()
})
