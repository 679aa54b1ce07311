import type { LookupAddress } from 'node:dns'
import { lookup as askSystem } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { within } from '../../common/promises.ts'
import { DAY_MS } from '../../common/time.ts'

/** If stale addresses are available, the longest wait for a query, counted from its start. */
const MOMENT_MS = 250
/** How long addresses may be used after they were found. RFC 8767 section 5 suggests one to three days. */
const KEPT_MS = DAY_MS
/** When to send a second query. The system itself retries a server that does not answer only after five seconds. */
const SLOW_MS = 2_500

export interface LookUpOptions {
  /** Called when stale addresses are used because the name servers do not answer. */
  readonly onStale?: ((hostname: string) => void) | undefined
  /** Queries the addresses of a name. Rejects as `dns.lookup` does. */
  readonly ask?: (hostname: string) => Promise<readonly LookupAddress[]>
}

interface Name {
  addresses: readonly LookupAddress[]
  foundAt: number
  /** The query that is under way. */
  query: Promise<readonly LookupAddress[]> | undefined
  queriedAt: number
}

/**
 * Looks names up as the system does, for `net.connect`. While name servers do not answer, uses the addresses found last
 * (RFC 8767). Queries a name only once at a time, however many connections need it: each query blocks a thread, and
 * libuv lets only two of them wait for names.
 */
export function lookUp({ onStale = () => undefined, ask = askForAll }: LookUpOptions = {}): LookupFunction {
  const names = new Map<string, Name>()

  const refresh = async (hostname: string, name: Name): Promise<readonly LookupAddress[]> => {
    try {
      name.addresses = await askTwiceIfSlow(() => ask(hostname))
      name.foundAt = performance.now()
      return name.addresses
    } finally {
      name.query = undefined
    }
  }
  const addressesOf = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const name = names.get(hostname) ?? { addresses: [], foundAt: 0, query: undefined, queriedAt: 0 }
    names.set(hostname, name)
    if (name.query === undefined) {
      name.queriedAt = performance.now()
      name.query = refresh(hostname, name)
    }
    if (name.addresses.length === 0 || performance.now() - name.foundAt > KEPT_MS) return name.query
    const stale = name.addresses
    const found = await within(
      Math.max(name.queriedAt + MOMENT_MS - performance.now(), 1),
      name.query.catch((error: NodeJS.ErrnoException) => {
        // The name no longer exists, which is an answer too.
        if (error.code === 'ENOTFOUND') throw error
        return undefined
      }),
    )
    if (found === undefined) onStale(hostname)
    return found ?? stale
  }

  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        if (all === true) callback(null, [...addresses])
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

const askForAll = (hostname: string): Promise<readonly LookupAddress[]> => askSystem(hostname, { all: true })

/**
 * Sends a second query if the first is slow, and takes the first answer. So a name server is queried every 2.5 seconds.
 */
async function askTwiceIfSlow<T>(ask: () => Promise<T>): Promise<T> {
  const first = ask()
  const isQuick = await within(
    SLOW_MS,
    first.then(() => true),
  )
  return isQuick === true ? first : Promise.race([first, ask()])
}
