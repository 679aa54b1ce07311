import { cityList } from './city-list.ts'
import { readLargeRecordings } from './read-recording.ts'
import { rewritePage } from './rewrite-page.ts'
import { sandboxLists } from './sandbox-lists.ts'
import { shadowLatency } from './shadow-latency.ts'

/** All benchmarks; `npm run bench -- NAME` runs one of them. */
const benchmarks: Readonly<Record<string, (print: (line: string) => void) => void | Promise<void>>> = {
  'city-list': cityList,
  'read-recording': readLargeRecordings,
  'rewrite-page': rewritePage,
  'sandbox-lists': sandboxLists,
  'shadow-latency': shadowLatency,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n# ${name}`)
  await run(console.log)
}
