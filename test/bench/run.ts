import { againstCheckout } from './against-checkout.ts'
import { againstOthers } from './against-others.ts'
import { cityList } from './city-list.ts'
import { comparingBeside } from './comparing-beside.ts'
import { compressedAnswers } from './compressed-answers.ts'
import { correctedCalls } from './corrected-calls.ts'
import { databaseAway } from './database-away.ts'
import { eventLoop } from './event-loop.ts'
import { fairness } from './fairness.ts'
import { flat } from './flat.ts'
import { fleetDatabase } from './fleet-database.ts'
import { fleetUsage } from './fleet-usage.ts'
import { growth } from './growth.ts'
import { howSureReadyIs } from './how-sure-ready-is.ts'
import { learningBeside } from './learning-beside.ts'
import { overload } from './overload.ts'
import { pages } from './pages.ts'
import { proposals } from './proposals.ts'
import { readLargeRecordings } from './read-recording.ts'
import { results } from './results.ts'
import { rewritePage } from './rewrite-page.ts'
import { rollingRestart } from './rolling-restart.ts'
import { sandboxLists } from './sandbox-lists.ts'
import { shadowLatency } from './shadow-latency.ts'
import { slowSenders } from './slow-senders.ts'
import { soak } from './soak.ts'
import { translateCalls } from './translate-calls.ts'
import { usageStoreCost } from './usage-store.ts'

/**
 * All benchmarks; `npm run bench -- NAME` runs one. `results`, which runs some of the others, runs only by its name.
 */
const benchmarks: Readonly<Record<string, (print: (line: string) => void) => unknown>> = {
  'against-checkout': againstCheckout,
  'against-others': againstOthers,
  'city-list': cityList,
  'comparing-beside': comparingBeside,
  'compressed-answers': compressedAnswers,
  'corrected-calls': correctedCalls,
  'database-away': databaseAway,
  fairness,
  'event-loop': (print) => eventLoop(print),
  flat,
  'fleet-database': fleetDatabase,
  'fleet-usage': fleetUsage,
  growth,
  'how-sure-ready-is': howSureReadyIs,
  'learning-beside': learningBeside,
  overload,
  pages,
  proposals,
  'read-recording': readLargeRecordings,
  results,
  'rewrite-page': rewritePage,
  'rolling-restart': rollingRestart,
  'sandbox-lists': sandboxLists,
  'shadow-latency': shadowLatency,
  'slow-senders': slowSenders,
  soak,
  'translate-calls': translateCalls,
  'usage-store': usageStoreCost,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 ? !wanted.includes(name) : run === results) continue
  console.log(`\n# ${name}`)
  await run(console.log)
}
