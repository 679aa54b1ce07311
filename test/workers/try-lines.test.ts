import { expect, it } from 'vitest'
import type { Corrections } from '../../src/mapping/corrections/corrections.ts'
import { openComparing } from '../../src/workers/open-comparing.ts'
import { reply } from '../control-plane/evidence/support/observing.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { v1Page } from '../support/v1-bodies.ts'

const NONE: Corrections = { operations: {} }
const NUMBER: Corrections = {
  operations: { 'invoice-list': { response: { 'data[].number': { from: 'items[].invoiceNumber' } } } },
}
/** These contradict each other: one is beneath the other. */
const CONTRADICTING: Corrections = {
  operations: {
    'invoice-list': {
      response: { 'data[].made': { from: 'items[].a' }, 'data[].made.at': { from: 'items[].b' } },
    },
  },
}

/** Opens a thread that compares a page whose invoices have another name of their number in v1. */
function open(toTry: () => Corrections) {
  const lost: string[] = []
  const thread = openComparing({
    ...{ key: new Uint8Array(32), rules: () => [], corrections: () => NONE },
    ...{ toTry, onLost: (reason) => lost.push(reason) },
  })
  closeAtEnd(thread.close)
  const pagination = { count: 1, page: 1, perPage: 25, lastPage: 1 }
  const v1 = JSON.stringify(v1Page([{ id: 1, invoiceNumber: 'A-1' }], { perPage: 25 }))
  const v1Answer = { status: 200, body: Buffer.from(v1) }
  const request = { method: 'POST', path: '/api/invoice/list', query: '', headers: {}, body: Buffer.from('{}') }
  const compare = () =>
    thread.compare({
      ...{ operation: 'invoice-list', request, learning: { watched: undefined } },
      control: reply({ data: [{ id: 1, number: 'A-1' }], pagination }),
      candidate: { status: 200, body: Buffer.from(JSON.stringify({ data: [{ id: 1 }], pagination })), v1Answer },
    })
  return { compare, lost }
}

const without = [{ kind: 'missing', path: 'data[].number' }]

it('lines are tried from the exchange on after which they are certain, and no longer when they are not', async () => {
  let toTry = NONE
  const { compare, lost } = open(() => toTry)
  expect(await compare()).not.toHaveProperty('trial')
  toTry = NUMBER
  expect(await compare()).toMatchObject({ outcome: 'mismatched', trial: { without, withThem: [] } })
  toTry = NONE
  expect(await compare()).not.toHaveProperty('trial')
  expect(lost).toEqual([])
})

it('a thread that starts later, as after an idle time, tries them from its first exchange on', async () => {
  expect(await open(() => NUMBER).compare()).toMatchObject({ trial: { without, withThem: [] } })
})

it('lines that contradict each other are not tried, and comparing goes on', async () => {
  const { compare, lost } = open(() => CONTRADICTING)
  const found = await compare()
  expect(found).toMatchObject({ outcome: 'mismatched', learned: { differences: without } })
  expect(found).not.toHaveProperty('trial')
  expect(lost).toEqual([])
})
