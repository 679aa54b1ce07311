import { BlockList, isIP } from 'node:net'

const FORM = 'must be an IP address or a CIDR range, for instance 192.0.2.7, 10.0.0.0/8 or fd00::/8'
/** RFC 4291 section 2.5.5.2. */
const IPV4_MAPPED = /^::ffff:\d+\./i

/**
 * Reads IPv4 and IPv6 addresses and CIDR ranges (RFC 4632, RFC 4291), separated by commas. An IPv4 range matches an
 * address also when it is written as IPv6 (`::ffff:10.0.0.1`), and the other way round.
 * @param onProblem called for each entry that is neither an address nor a range, with its position and what is wrong.
 */
export function readAddressRanges(text: string, onProblem: (problem: string) => void): BlockList {
  const ranges = new BlockList()
  for (const [index, entry] of text.split(',').entries()) {
    const problem = addRange(ranges, entry.trim())
    if (problem !== undefined) onProblem(`entry ${index + 1} ${problem}`)
  }
  return ranges
}

function addRange(ranges: BlockList, entry: string): string | undefined {
  const [address = '', prefix, ...more] = entry.split('/')
  const version = isIP(address)
  // A zone names an interface of one machine, not an address.
  if (version === 0 || address.includes('%') || more.length > 0) return FORM
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const most = version === 4 ? 32 : 128
  // A shorter prefix was meant for the IPv4 address.
  const least = IPV4_MAPPED.test(address) ? 96 : 0
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(bits >= least && bits <= most)) return `must have a prefix length from ${least} to ${most}`
  // `::/0` is meant to include all clients, but nobody expects IPv4 in `::/64`.
  if (version === 6 && bits > 0 && bits < 96 && holdsAllIpv4(address, bits)) {
    return 'covers every IPv4 address in its IPv6 form: write IPv4 ranges as IPv4, or ::/0 for all clients'
  }
  ranges.addSubnet(address, bits, family)
  return undefined
}

function holdsAllIpv4(address: string, bits: number): boolean {
  const range = new BlockList()
  range.addSubnet(address, bits, 'ipv6')
  return range.check('::ffff:0.0.0.0', 'ipv6')
}
