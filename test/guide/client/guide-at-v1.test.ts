import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { demo, logIn, startInMemory } from '../../sandbox/sandbox-client.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { GOOD_BODIES } from '../../support/good-bodies.ts'
import { used } from './support/clients.ts'
import { guideFor } from './support/guide-for.ts'

let v1 = ''
let token = ''
beforeAll(async () => {
  const sandbox = await startInMemory()
  closeAtEnd(() => sandbox.close())
  v1 = sandbox.v1Url
  token = await logIn(sandbox, demo)
})

const withBodies = operations.filter(({ legacy, v1, login }) => {
  return v1 !== undefined && login === undefined && GOOD_BODIES[legacy.path] !== undefined
})

const [shipment] = GOOD_BODIES['/api/consignment/package/advance'] ?? []
const { recipientAddress } = shipment as { readonly recipientAddress: object }
/** Whatever a shipment may say of people. */
const personal = {
  ...shipment,
  ...{ taxNumber: '4820194471', taxIdentificationNumber: 'DE811907980', isDiffBillingAddress: true },
  billingAddress: { ...recipientAddress, address2: 'Hinterhaus' },
}

const CALLS: readonly (readonly [id: string, body: object | undefined])[] = [
  ...withBodies.map(({ id, legacy }) => [id, GOOD_BODIES[legacy.path]?.[0]] as const),
  ['package', personal],
]

describe('the v1 calls of guides', () => {
  it.each(CALLS)('v1 takes %s with placeholders for what is personal', async (id, good) => {
    const guide = guideFor([used(id, 1, {}, { body: JSON.stringify(good) })], { v1: new URL(v1) })
    const [call] = guide.operations[0]?.after ?? []
    expect(guide.operations[0]?.isOwnCall).toBe(true)
    const answer = await fetch(call?.url ?? '', {
      method: call?.method ?? '',
      headers: { ...call?.headers, Authorization: `Bearer ${token}` },
      ...(call?.body !== undefined && { body: call.body }),
    })
    expect([answer.ok, await answer.text()]).toEqual([true, expect.stringContaining('"success":true')])
  })
})
