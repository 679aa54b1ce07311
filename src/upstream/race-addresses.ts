import { lookup as askSystem, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { inWords } from './why-unreachable.ts'

type Connector = buildConnector.connector
type Options = Parameters<Connector>[0]
type Callback = Parameters<Connector>[1]

/** How long an address may take before the next one is tried beside it (RFC 8305 section 5). */
const STAGGER_MS = 250

/**
 * Returns a connector that tries all addresses of a name, each for as long as `connect` allows, and takes the first connection (Happy
 * Eyeballs, RFC 8305). Node itself gives an address up after 250 ms, so that a service in reach counts as unreachable
 * when it takes longer and its other address has no route.
 * @param lookup undefined: the system's.
 */
export function raceAddresses(connect: Connector, lookup: LookupFunction = askSystem): Connector {
  return (options, callback) => {
    const { hostname } = options
    if (isIP(hostname) !== 0) {
      connect(options, callback)
      return
    }
    lookup(hostname, { all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [found] : inTurns(found ?? [])
      const [first, ...others] = addresses
      // Whoever intercepts connections, as tests do, knows names that the system does not. Otherwise this fails as the look-up did.
      if (error?.code === 'ENOTFOUND') connect(options, callback)
      else if (error !== null || first === undefined) callback(error ?? new Error(`${hostname} has no address`), null)
      else if (others.length === 0) connect({ ...options, hostname: first }, callback)
      else race(connect, options, addresses, callback)
    })
  }
}

/** Alternates between IPv6 and IPv4, beginning with the first address (RFC 8305 section 4). */
function inTurns(found: readonly LookupAddress[]): readonly string[] {
  const first = found.filter(({ family }) => family === found[0]?.family)
  const second = found.filter(({ family }) => family !== found[0]?.family)
  return found
    .flatMap((_, index) => [first[index], second[index]])
    .flatMap((one) => (one === undefined ? [] : [one.address]))
}

/** Tries the next address when one fails, or takes long. If all fail, the error says why for each. */
function race(connect: Connector, options: Options, addresses: readonly string[], callback: Callback): void {
  const attempts = new Set<{ destroy(error?: Error): unknown }>()
  const failed: { readonly address: string; readonly error: Error }[] = []
  let next = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  const attempt = (): void => {
    clearTimeout(timer)
    const address = addresses[next++] as string
    if (next < addresses.length) timer = setTimeout(attempt, STAGGER_MS)
    const socket = connect({ ...options, hostname: address }, (error, connected) => {
      if (isOver) {
        connected?.destroy()
      } else if (error === null) {
        isOver = true
        clearTimeout(timer)
        for (const other of attempts) if (other !== connected) other.destroy(new Error('another address was faster'))
        callback(null, connected)
      } else {
        failed.push({ address, error })
        if (next < addresses.length) attempt()
        else if (failed.length === addresses.length) {
          isOver = true
          callback(together(failed), null)
        }
      }
    }) as unknown as { destroy(error?: Error): unknown } | undefined
    if (socket !== undefined) attempts.add(socket)
  }
  attempt()
}

/** Joins the reasons of all addresses. The last error's code counts: it had the most time. */
function together(failed: readonly { readonly address: string; readonly error: Error }[]): Error {
  const reasons = failed.map(({ address, error }) => `${address}: ${inWords(error) ?? error.message}`)
  const last = failed.at(-1)?.error
  const code = last !== undefined && 'code' in last ? { code: last.code } : {}
  return Object.assign(
    new AggregateError(
      failed.map(({ error }) => error),
      reasons.join('; '),
    ),
    code,
  )
}
