import { startSlowSenders, waysToBeSlow } from '../support/slow-senders.ts'

// Run as a process of its own by `slow-senders.ts`: `node slow-senders-peer.ts URL COUNT WAY`. It reports when all have
// begun.

const [url = '', count = '', way = ''] = process.argv.slice(2)
// More than can be sent while measuring.
const chosen = waysToBeSlow('POST /api/invoice/list', 1_000)[Number(way)]
if (chosen === undefined) throw new Error(`there is no way ${way}`)
const senders = await startSlowSenders(url, Number(count), chosen)
process.send?.('begun')
process.on('message', () => process.send?.(senders.open()))
