import type { LookupAddress } from 'node:dns'
import { lookup as askSystem } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'

/** Where there are addresses of before, a question that is older than this is not waited for. */
const MOMENT_MS = 250
/** How long they are good for. RFC 8767 section 5 speaks of one to three days. */
const KEPT_MS = 86_400_000
/** The system asks a server that does not answer again after five seconds. */
const SLOW_MS = 2_500

export interface LookUpOptions {
  /** Told when addresses of before are used, because a name is not answered for now. */
  readonly onStale?: ((hostname: string) => void) | undefined
  /** Asks for the addresses of a name; rejects as `dns.lookup` does. */
  readonly ask?: (hostname: string) => Promise<readonly LookupAddress[]>
}

interface Name {
  known: readonly LookupAddress[]
  knownAt: number
  /** The question that is under way. */
  asked: Promise<readonly LookupAddress[]> | undefined
  askedAt: number
}

/**
 * Looks names up as the system does, for `net.connect`. While name servers do not answer, the addresses that they gave last are
 * used (RFC 8767). A name is asked for once at a time, however many connections want it: each question holds a thread, of which
 * libuv lets two wait for names.
 */
export function lookUp({ onStale = () => undefined, ask = askForAll }: LookUpOptions = {}): LookupFunction {
  const names = new Map<string, Name>()

  const askAnew = async (hostname: string, name: Name): Promise<readonly LookupAddress[]> => {
    try {
      name.known = await askTwiceIfSlow(() => ask(hostname))
      name.knownAt = performance.now()
      return name.known
    } finally {
      name.asked = undefined
    }
  }
  const addressesOf = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const name = names.get(hostname) ?? { known: [], knownAt: 0, asked: undefined, askedAt: 0 }
    names.set(hostname, name)
    if (name.asked === undefined) {
      name.askedAt = performance.now()
      name.asked = askAnew(hostname, name)
    }
    if (name.known.length === 0 || performance.now() - name.knownAt > KEPT_MS) return name.asked
    const stale = name.known
    const found = await Promise.race([
      name.asked.catch((error: NodeJS.ErrnoException) => {
        // There is no such name any more: that is an answer.
        if (error.code === 'ENOTFOUND') throw error
        return undefined
      }),
      after(Math.max(name.askedAt + MOMENT_MS - performance.now(), 1), undefined, { ref: false }),
    ])
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

/** Asks a second time beside the first when that takes long: so a name server is asked every two and a half seconds. */
async function askTwiceIfSlow<T>(ask: () => Promise<T>): Promise<T> {
  const first = ask()
  const isSlow = await Promise.race([first.then(() => false), after(SLOW_MS, true, { ref: false })])
  return isSlow ? Promise.race([first, ask()]) : first
}
