import type { IncomingHttpHeaders } from 'node:http'
import { type BlockList, isIP, SocketAddress } from 'node:net'
import { LRUCache } from 'lru-cache'

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
    const parsed = { address, isTrusted: ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') }
    remembered.set(text, parsed)
    return parsed
  }
  /** Returns the last address of a chain that is not a trusted proxy. */
  const lastOf = (chain: string, isForwarded: boolean, address: string): string => {
    let client = lookUp(address)
    for (const text of backwards(chain, isForwarded)) {
      const before = lookUp(text)
      client = before ?? client
      if (before?.isTrusted !== true) break
    }
    return client?.address ?? address
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
}

/** Proxies do not make longer chains. */
const MAX_HOPS = 32

/**
 * Yields the entries of an `X-Forwarded-For` header or, with `isForwarded`, of a `Forwarded` header, from the last one on, without ports.
 * Empty entries do not count (RFC 9110 section 5.6.1). The header is split at every comma, so that nothing a client wrote on the left,
 * such as an open quote, can swallow what a proxy wrote after it.
 */
function* backwards(chain: string, isForwarded: boolean): Generator<string> {
  let end = chain.length
  for (let hops = 0; hops < MAX_HOPS && end > 0; ) {
    const comma = chain.lastIndexOf(',', end - 1)
    const entry = chain.slice(comma + 1, end).trim()
    end = comma
    if (entry === '') continue
    hops++
    yield addressIn(isForwarded ? nodeOf(entry) : entry)
  }
}

/**
 * Returns the addresses at the end of such a header, in their order and in their plain form. An entry that is no address ends the chain,
 * because nothing before it can be trusted.
 */
export function addressesOf(chain: string, isForwarded: boolean): readonly string[] {
  const addresses: string[] = []
  for (const text of backwards(chain, isForwarded)) {
    const address = normalized(text)
    if (address === undefined) break
    addresses.unshift(address)
  }
  return addresses
}

/** RFC 7239 section 4; also accepts values that lack their quotes. */
const PAIR = /^([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([^\s"\\]+))$/

/** Returns the node in `for` of one entry of `Forwarded`; empty unless there is exactly one and the entry is well formed. */
function nodeOf(entry: string): string {
  let node: string | undefined
  for (const pair of entry.split(';')) {
    if (pair.trim() === '') continue
    const [, name, quoted, plain] = PAIR.exec(pair.trim()) ?? []
    if (name === undefined) return ''
    if (name.toLowerCase() !== 'for') continue
    if (node !== undefined) return ''
    node = quoted ?? plain
  }
  return node ?? ''
}

/** RFC 7239 section 6: IPv6 in brackets; an optional port, which may be obfuscated. */
const WITH_PORT = /^(?:\[([^[\]]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/

/**
 * Returns a node's address without its port. A node that is no address, such as `unknown` or `_hidden`, comes back
 * unchanged.
 */
function addressIn(node: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(node) ?? []
  return ipv6 ?? ipv4 ?? node
}

/** 45 characters, plus a zone. */
const MAX_ADDRESS_LENGTH = 64

/**
 * Returns an address in its plain form: IPv6 in lower case, compressed and without its zone; IPv4 also if it came as IPv6.
 * Undefined: the text is no address.
 */
export function normalized(text: string): string | undefined {
  const version = text.length > MAX_ADDRESS_LENGTH ? 0 : isIP(text)
  if (version === 0) return undefined
  if (version === 4) return text
  const { address } = new SocketAddress({ address: text.replace(/%.*$/, ''), family: 'ipv6' })
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}

/**
 * Returns the network of an address. For IPv6 in its short form, that is the /64, which one client usually has whole.
 * For IPv4, also if it came as IPv6, it is the address itself.
 */
export function networkOf(address: string): string {
  return !address.includes(':') || address.includes('.') ? address : networks.memo(address)
}

/** Cached, because the same clients call again and again. */
const networks = new LRUCache<string, string, void>({
  max: 1_000,
  memoMethod(address) {
    const [head = '', tail = ''] = address.split('::')
    const [first, last] = [groupsOf(head), groupsOf(tail)]
    const zeros = Array<string>(Math.max(8 - first.length - last.length, 0)).fill('0')
    return [...first, ...zeros, ...last].slice(0, 4).join(':')
  },
})

const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':'))
