import type { IncomingHttpHeaders } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { addressIn, nodeOf, normalized } from './address-chain.ts'

/** Proxies that are trusted to name the client behind them. */
export interface TrustedProxies {
  /** Whether an address is that of a trusted proxy. */
  has(address: string): boolean
  /**
   * Returns the address of the client whose call came from a proxy at `address`: the last address in `Forwarded`, or else in
   * `X-Forwarded-For`, that is not a trusted proxy; the first one if all are. An entry that names no address ends the chain,
   * because nothing before it can be trusted. If the chain names no address, returns `address` itself.
   */
  clientBehind(address: string, headers: IncomingHttpHeaders): string
}

interface ParsedAddress {
  /** In its plain form, as `normalized` returns it. */
  readonly address: string
  readonly isTrusted: boolean
}

/** The same few proxies come with every call, and many clients call more than once. */
const REMEMBERED = 10_000
/** Proxies do not make longer chains. */
const MAX_HOPS = 32

/**
 * Trusts the proxies in some ranges of addresses.
 * @param onConflict called once, at the first call whose two headers name different clients: a proxy sets one of them,
 *   and passes the other on as the client wrote it.
 */
export function trustedProxies(ranges: BlockList, onConflict: () => void = () => undefined): TrustedProxies {
  let isReported = false
  const remembered = new LRUCache<string, ParsedAddress>({ max: REMEMBERED })
  const lookUp = (text: string): ParsedAddress | undefined => {
    const cached = remembered.get(text)
    if (cached !== undefined) return cached
    const address = normalized(text)
    if (address === undefined) return undefined
    const found = { address, isTrusted: ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') }
    remembered.set(text, found)
    return found
  }
  return {
    has: (address) => lookUp(address)?.isTrusted === true,
    clientBehind(address, { forwarded = '', 'x-forwarded-for': chain }) {
      const forwardedFor = String(chain ?? '')
      if (forwarded === '') return lastOf(forwardedFor, false, address)
      const client = lastOf(forwarded, true, address)
      if (!isReported && forwardedFor !== '' && lastOf(forwardedFor, false, address) !== client) {
        isReported = true
        onConflict()
      }
      return client
    },
  }

  /** Returns the last address of a chain that is not a trusted proxy. */
  function lastOf(chain: string, isForwarded: boolean, address: string): string {
    let client = lookUp(address)?.address ?? address
    let end = chain.length
    // From right to left, and split at every comma, so that nothing a client wrote on the left, such as an open quote,
    // can swallow what a proxy wrote after it.
    for (let hops = 0; hops < MAX_HOPS && end > 0; ) {
      const comma = chain.lastIndexOf(',', end - 1)
      const entry = chain.slice(comma + 1, end).trim()
      end = comma
      // RFC 9110 section 5.6.1: empty entries do not count.
      if (entry === '') continue
      hops++
      const node = isForwarded ? nodeOf(entry) : entry
      const found = node === undefined ? undefined : lookUp(addressIn(node))
      if (found === undefined) break
      client = found.address
      if (!found.isTrusted) break
    }
    return client
  }
}
