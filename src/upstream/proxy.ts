import { BlockList, isIP } from 'node:net'

/** A proxy that opens tunnels. */
export interface TunnelProxy {
  /** Without credentials: it may be logged. */
  readonly origin: string
  /** Sent to the proxy as `Proxy-Authorization`, and nowhere else. */
  readonly authorization: string | undefined
}

export interface ProxySettings {
  readonly proxy: TunnelProxy
  /** `NO_PROXY`: who is connected to directly. */
  readonly except: string
}

/** The proxy through which a service is reached; undefined: directly, as all are that are not `https`. */
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
 * An entry of `NO_PROXY` as curl and undici read it: `*`; a name, which means those beneath it too, with or without a
 * leading dot; `*.name` for those beneath it alone; an address, an IPv6 one with or without brackets; a range of addresses
 * (CIDR); any but the last with a port.
 */
function matches(entry: string, host: string, port: string): boolean {
  const [, network, bits] = RANGE.exec(entry) ?? []
  if (network !== undefined) return isWithin(network, Number(bits), host)
  const [, bracketed, plain = '', itsPort = port] = WITH_PORT.exec(entry) ?? [undefined, undefined, entry]
  const name = (bracketed ?? plain).replace(/\.$/, '')
  if (itsPort !== port) return false
  if (name === '*') return true
  // An address has no names beneath it.
  if (isIP(host) !== 0) return isWithin(name, isIP(host) === 4 ? 32 : 128, host)
  const isBeneath = host.endsWith(`.${name.replace(/^\*?\./, '')}`)
  return isBeneath || host === name.replace(/^\./, '')
}

const RANGE = /^(.+)\/(\d+)$/
/** A name or IPv4 address with a port or without; an IPv6 one has a port only where it is in brackets. */
const WITH_PORT = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/

function isWithin(network: string, bits: number, host: string): boolean {
  const [family, hostFamily] = [isIP(network), isIP(host)]
  if (family === 0 || family !== hostFamily || bits > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const version = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, bits, version)
  return list.check(host, version)
}
