import type { IncomingHttpHeaders } from 'node:http'
import { type BlockList, isIP, SocketAddress } from 'node:net'
import { LRUCache } from 'lru-cache'

/** Proxies whose word is taken for who is behind them. */
export interface TrustedProxies {
  /** Whether an address is one of theirs. */
  has(address: string): boolean
  /**
   * Who called, when a call comes from a proxy at `address`: the last of the chain in `Forwarded`, else `X-Forwarded-For`, that
   * is no trusted proxy itself, or the first of all where all are. A place that names no address ends the chain: what stands
   * before it is nobody's word. `address` itself when the chain names nobody.
   */
  clientBehind(address: string, headers: IncomingHttpHeaders): string
}

interface Known {
  /** In one spelling: IPv6 in lower case and compressed, without its zone; IPv4 also where it came as IPv6. */
  readonly address: string
  readonly isTrusted: boolean
}

/** The same few proxies come with every call, and many clients with more than one. */
const REMEMBERED = 10_000
/** A longer chain is not one that proxies made. */
const MOST_HOPS = 32

/**
 * @param onConflict told, once, that the two headers of a call name different clients: a proxy sets one of them, and passes on
 * the other as the client wrote it.
 */
export function trustedProxies(ranges: BlockList, onConflict: () => void = () => undefined): TrustedProxies {
  let isTold = false
  const remembered = new LRUCache<string, Known>({ max: REMEMBERED })
  const know = (text: string): Known | undefined => {
    const known = remembered.get(text)
    if (known !== undefined) return known
    const address = canonical(text)
    if (address === undefined) return undefined
    const found = { address, isTrusted: ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') }
    remembered.set(text, found)
    return found
  }
  return {
    has: (address) => know(address)?.isTrusted === true,
    clientBehind(address, { forwarded = '', 'x-forwarded-for': others }) {
      const forwardedFor = String(others ?? '')
      if (forwarded === '') return lastOf(forwardedFor, false, address)
      const client = lastOf(forwarded, true, address)
      if (!isTold && forwardedFor !== '' && lastOf(forwardedFor, false, address) !== client) {
        isTold = true
        onConflict()
      }
      return client
    },
  }

  /** The last of a chain that is no trusted proxy. */
  function lastOf(chain: string, isForwarded: boolean, address: string): string {
    let client = know(address)?.address ?? address
    let end = chain.length
    // Last first, and divided at every comma: nothing that a client wrote to the left, such as an open quote, reaches over what
    // a proxy wrote behind it.
    for (let hops = 0; hops < MOST_HOPS && end > 0; ) {
      const comma = chain.lastIndexOf(',', end - 1)
      const place = chain.slice(comma + 1, end).trim()
      end = comma
      // RFC 9110 section 5.6.1: an empty one is none.
      if (place === '') continue
      hops++
      const node = isForwarded ? nodeOf(place) : place
      const known = node === undefined ? undefined : know(addressIn(node))
      if (known === undefined) break
      client = known.address
      if (!known.isTrusted) break
    }
    return client
  }
}

/** RFC 7239 section 4, and unquoted also what should be quoted. */
const PAIR = /^([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([^\s"\\]+))$/

/** The node in `for` of one place of `Forwarded`; undefined when there is not exactly one, or the place is not well formed. */
function nodeOf(place: string): string | undefined {
  let node: string | undefined
  for (const pair of place.split(';')) {
    if (pair.trim() === '') continue
    const [, name, quoted, plain] = PAIR.exec(pair.trim()) ?? []
    if (name === undefined) return undefined
    if (name.toLowerCase() !== 'for') continue
    if (node !== undefined) return undefined
    node = quoted ?? plain
  }
  return node
}

/** RFC 7239 section 6: IPv6 in brackets; a port, which may be obfuscated. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i

/** A node's address without its port; as it stands when it is no address, such as `unknown` or `_hidden`. */
function addressIn(node: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(node) ?? []
  return ipv6 ?? ipv4 ?? node
}

/** 45 characters, and a zone. */
const LONGEST_ADDRESS = 64

function canonical(text: string): string | undefined {
  const version = text.length > LONGEST_ADDRESS ? 0 : isIP(text)
  if (version === 0) return undefined
  if (version === 4) return text
  const { address } = new SocketAddress({ address: text.replace(/%.*$/, ''), family: 'ipv6' })
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}
