import { expect, test } from 'vitest'
import { operation, post, record } from '../../../src/mapping/operation.ts'
import { body } from '../../../src/mapping/request.ts'
import { decimal, list, shape } from '../../../src/mapping/shape.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { standInForV1 } from '../../support/v1-stand-in.ts'

const thing = shape('Thing', { rows: list(shape('Row', { price: decimal(2, 'cents') })) })
const createThing = operation('thing-create', {
  says: 'Prices are in cents.',
  legacy: post('/api/thing'),
  v1: post('/api/v1/things'),
  request: body(thing),
  response: record(thing),
  effect: 'write',
  authorization: 'none',
})

interface Refused {
  readonly violations: readonly { readonly propertyPath: string; readonly message: string }[]
}

/** The violations answered for rows with these prices, all of which v1 refuses. */
async function violationsOf(prices: readonly string[], message: string) {
  const errors = prices.map((_, index) => ({ path: `rows.${index}.cents`, message }))
  const v1 = standInForV1(() => ({ status: 422, body: { success: false, code: 'VALIDATION_FAILED', errors } }))
  const gateway = await startGateway(v1.url, { operations: [createThing] })
  const rows = prices.map((price) => `{"price":${price}}`).join(',')
  const { text } = await gateway.call({ method: 'POST', path: '/api/thing', body: `{"rows":[${rows}]}` })
  return (JSON.parse(text) as Refused).violations
}

test('a violation shows the refused value as the client sent it, unless the message has it', async () => {
  expect(await violationsOf(['12.50', '0.05'], '0.05 is too little.')).toEqual([
    { propertyPath: 'rows[0].price', message: '0.05 is too little. (12.50)' },
    { propertyPath: 'rows[1].price', message: '0.05 is too little.' },
  ])
})

test('a violation leaves out a value that does not help: a long one, or one that is the same on both sides', async () => {
  expect((await violationsOf([`${'9'.repeat(80)}.00`, '"soon"', 'null'], 'No.')).map(({ message }) => message)).toEqual(
    ['No.', 'No.', 'No.'],
  )
})

test('of thousands of violations the first 50 show their value', async () => {
  const messages = (await violationsOf(Array<string>(5_000).fill('1.25'), 'No.')).map(({ message }) => message)
  expect(messages).toHaveLength(5_000)
  expect(messages.slice(0, 50).every((message) => message === 'No. (1.25)')).toBe(true)
  expect(messages.slice(50).every((message) => message === 'No.')).toBe(true)
})
