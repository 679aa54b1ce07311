import { balancers } from './restarts/balancers.ts'
import { type Outcome, restartUnderLoad } from './restarts/restart-under-load.ts'

/** Calls behind each balancer. */
const CALLS = 20_000
/** Calls to see what is lost without a drain, or by another checkout if `BENCH_AGAINST` names one. */
const FEWER = 5_000

/** Measures what a rolling restart of two gateways loses behind each balancer, with and without a drain. */
export async function rollingRestart(print: (line: string) => void): Promise<void> {
  const checkout = process.env.BENCH_AGAINST
  for (const balancer of balancers) {
    print(`  behind ${balancer}: ${lineOf(await restartUnderLoad(balancer, { calls: CALLS }))}`)
    const without = await restartUnderLoad(balancer, { calls: FEWER, drainMs: 0, isBare: true, checkout })
    print(`  behind ${balancer}, ${checkout ?? 'without a drain'}: ${lineOf(without)}`)
  }
}

function lineOf({ calls, writes, restarts, lost, twice, never }: Outcome): string {
  return `${lost.length} of ${calls} calls lost in ${restarts} restarts; of ${writes} writes ${twice.length} twice, ${never.length} never`
}
