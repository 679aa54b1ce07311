import { everReady } from '../support/simulate-ready.ts'

const RATES = [0.98, 0.99, 0.995, 0.999, 0.9999, 1]
const BURSTS = [1, 50]
const RUNS = 4_000

/** How many of the operations with a true match rate are ever called ready: the table in docs/evidence.md. */
export function howSureReadyIs(print: (line: string) => void): void {
  for (const rate of RATES) {
    const shares = BURSTS.map((burst) => `${(everReady({ rate, burst, runs: RUNS }) * 100).toFixed(1)} %`)
    print(`  true match rate ${(rate * 100).toFixed(2)} %: ever ready ${shares.join(', in bursts of 50 ')}`)
  }
}
