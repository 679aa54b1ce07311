import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import type { Experiment, Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { busyDashboard } from './busy-dashboard.ts'
import { difference, experiment, reference, trafficAt } from './dashboard-sources.ts'

/** How many differences each operation has. */
const DIFFERENCES = 18
/** Calls within the last hours, by client and operation. */
const CALLS = 3

/** A gateway in the middle of a migration, of which every operation differs in many places, and is called by many clients. */
export function crowdedDashboard(clients: readonly string[], said: Partial<DashboardSources> = {}): DashboardSources {
  const busy = busyDashboard(said)
  const traffic = trafficAt()
  clients.forEach((client, at) => {
    for (const [nth, { id }] of reference.entries()) {
      for (let call = 0; call < CALLS; call++) {
        const status = (at + nth + call) % 29 === 0 ? 500 : 200
        traffic.at((at * 7 + nth * 11 + call * 53) % 170, id, client, status, 5 + ((at + call) % 80))
      }
    }
  })
  const experiments = Promise.resolve(busy.experiments()).then(crowded)
  return { ...busy, traffic: traffic.snapshot, experiments: () => experiments }
}

const crowded = (all: Experiments): Experiments => ({
  ...all,
  operations: reference.map(({ id }) =>
    differing(all.operations.find(({ operation }) => operation === id) ?? experiment(id)),
  ),
})

function differing(one: Experiment): Experiment {
  const more = Array.from({ length: DIFFERENCES - one.differences.length }, (_, at) =>
    difference({ path: `data[].member${at}.ofAnother`, requests: 40 - at, count: 90 - at }),
  )
  return { ...one, verdict: 'not ready', differences: [...one.differences, ...more] }
}
