import { isIP, SocketAddress } from 'node:net'

/** RFC 7239 section 4; also accepts values that lack their quotes. */
const PAIR = /^([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([^\s"\\]+))$/

/**
 * Returns the node in `for` of one entry of `Forwarded`; undefined unless there is exactly one and the entry is well
 * formed.
 */
export function nodeOf(entry: string): string | undefined {
  let node: string | undefined
  for (const pair of entry.split(';')) {
    if (pair.trim() === '') continue
    const [, name, quoted, plain] = PAIR.exec(pair.trim()) ?? []
    if (name === undefined) return undefined
    if (name.toLowerCase() !== 'for') continue
    if (node !== undefined) return undefined
    node = quoted ?? plain
  }
  return node
}

/** RFC 7239 section 6: IPv6 in brackets; an optional port, which may be obfuscated. */
const WITH_PORT = /^(?:\[([^[\]]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/

/**
 * Returns a node's address without its port. A node that is no address, such as `unknown` or `_hidden`, comes back
 * unchanged.
 */
export function addressIn(node: string): string {
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
 * Returns the addresses at the end of an `X-Forwarded-For` header or, with `isForwarded`, of a `Forwarded` header: plain, without
 * ports, in their order. An entry that is no address ends the chain, because nothing before it can be trusted. Empty entries
 * do not count (RFC 9110 section 5.6.1).
 */
export function addressesOf(chain: string, isForwarded: boolean): readonly string[] {
  const addresses: string[] = []
  for (const entry of chain.split(',').reverse()) {
    const text = entry.trim()
    if (text === '') continue
    const node = isForwarded ? nodeOf(text) : text
    const address = node === undefined ? undefined : normalized(addressIn(node))
    if (address === undefined) break
    addresses.unshift(address)
  }
  return addresses
}
