import { decimal, enumOf, from, list, lost, orNull, same, shape, timestamp } from '../../../../src/mapping/shape.ts'
import { states } from './states.ts'

export const line = shape('Order line', {
  name: from('title', 'string'),
  unit: enumOf({ piece: 'C62', kilo: 'KGM' }, 'unitCode'),
  price: decimal(2, 'priceMinor'),
  weight: orNull(decimal(3, 'grams')),
})

export const order = shape(
  'Order',
  {
    id: same('int'),
    state: enumOf(states, 'status'),
    total: decimal(2, 'amount.minor'),
    'customer.name': from('customerName', 'string'),
    placedAt: timestamp('createdAt'),
    paidAt: orNull(timestamp('payment.at')),
    lines: list(line),
    discount: lost('v1 has none', 'number'),
  },
  { closed: true, v1Only: { channel: 'added in v1' } },
)

/** The request that places an order. */
export const newOrder = shape(
  'New order',
  {
    state: enumOf(states, 'status'),
    'customer.name': from('customerName', 'string'),
    dueAt: timestamp(),
    limit: decimal(2, 'limitMinor'),
    lines: list(line, 'items'),
  },
  { closed: true },
)
