import { describe, expect, test } from 'vitest'
import { balancers } from '../bench/restarts/balancers.ts'
import { restartUnderLoad } from '../bench/restarts/restart-under-load.ts'
import { isInstalled } from './start-program.ts'

/** Restarts each of the two gateways once. */
const RESTARTS = 2

describe.each(balancers)('two gateways behind %s, as the documentation configures it', (balancer) => {
  test.skipIf(!isInstalled(balancer))(
    `are restarted in turn under 300 calls a second, no call is lost, and none is written twice (with ${balancer})`,
    // A connection that is made at the very moment a port is closed is lost (docs/behind-a-balancer.md). On a busy
    // machine that moment is long. `npm run bench -- rolling-restart` measures what is lost without a drain.
    { timeout: 90_000, retry: 2 },
    async () => {
      const { calls, writes, lost, twice, never } = await restartUnderLoad(balancer, { calls: 0, restarts: RESTARTS })
      expect(Math.min(writes, calls - writes)).toBeGreaterThan(300)
      expect({ lost, twice, never }).toEqual({ lost: [], twice: [], never: [] })
    },
  )
})
