import { BlockList, isIP } from 'node:net'

/** A proxy that opens tunnels. */
export interface TunnelProxy {
  /** Without credentials, so it may be logged. */
  readonly origin: string
  /** Sent as `Proxy-Authorization`, and only to the proxy. */
  readonly authorization: string | undefined
}

export interface ProxySettings {
  readonly proxy: TunnelProxy
  /** `NO_PROXY`: hosts that are connected to directly. */
  readonly except: string
}

/** Returns the proxy for a service. Undefined: connect directly, as to every service without `https`. */
export function proxyFor(
  { protocol, hostname, port }: URL,
  settings: ProxySettings | undefined,
): TunnelProxy | undefined {
  if (settings === undefined || protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const entries = settings.except.split(/[\s,]+/).filter((entry) => entry !== '')
  const isExcepted = entries.some((entry) => matches(entry.toLowerCase(), host, port === '' ? '443' : port))
  return isExcepted ? undefined : settings.proxy
}

/**
 * Whether an entry of `NO_PROXY` covers a host. Reads entries as curl and undici do: `*`; a name, with or without a
 * leading dot, which covers its subdomains too; `*.name` for its subdomains only; an address, IPv6 with or without
 * brackets; an address range (CIDR). All but a range may have a port.
 */
function matches(entry: string, host: string, port: string): boolean {
  const [, network, bits] = RANGE.exec(entry) ?? []
  if (network !== undefined) return isWithin(network, Number(bits), host)
  const [, bracketed, plain = '', entryPort = port] = WITH_PORT.exec(entry) ?? [undefined, undefined, entry]
  const name = (bracketed ?? plain).replace(/\.$/, '')
  if (entryPort !== port) return false
  if (name === '*') return true
  // An address has no subdomains.
  if (isIP(host) !== 0) return isWithin(name, isIP(host) === 4 ? 32 : 128, host)
  const isSubdomain = host.endsWith(`.${name.replace(/^\*?\./, '')}`)
  return isSubdomain || host === name.replace(/^\./, '')
}

const RANGE = /^(.+)\/(\d+)$/
/** A name or an IPv4 address, with or without a port. An IPv6 address can have a port only if it is in brackets. */
const WITH_PORT = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/

function isWithin(network: string, bits: number, host: string): boolean {
  const [family, hostFamily] = [isIP(network), isIP(host)]
  if (family === 0 || family !== hostFamily || bits > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const version = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, bits, version)
  return list.check(host, version)
}
