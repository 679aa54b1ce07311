import { expect, it } from 'vitest'
import { sharedPostgres } from '../../support/shared-postgres.ts'
import { comparingFleet, eventsAt } from './support/comparing-fleet.ts'
import { orderAt } from './support/fleets.ts'

const server = sharedPostgres()

it.skipIf(server === undefined)(
  'a gateway that is ordered to take a step looks at what others have found until then (with postgresql)',
  async () => {
    if (server === undefined) return
    const fleet = comparingFleet(server)
    // Closed for days, so that nobody takes the step without an order.
    const days = new Date(Date.now() + 3 * 86_400_000).toUTCString().slice(0, 3)
    const one = await fleet.start('one', { window: { days, from: '10:00', to: '11:00', zone: 'UTC' } })
    const other = await fleet.start('other')
    await fleet.findDifference(other)
    // A gateway that has just started may say once that it could not read the results of others in time: try again.
    await expect
      .poll(() => orderAt(one, 'advance'), { timeout: 20_000 })
      .toMatchObject({ status: 409, text: expect.stringContaining('the verdict is not ready') })
    expect(await eventsAt(one)).not.toContain('advanced')
  },
)
