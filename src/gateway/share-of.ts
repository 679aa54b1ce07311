import type { Call } from './gateway.ts'

/**
 * With whom a call shares what a service can do: the client that our own token names, else the network that it came from. Any
 * other token says nothing: whoever writes a new one for each call must not be many clients.
 */
export const shareOf = ({ credentials, request }: Call): string => credentials.client ?? networkOf(request.peer)

/** An address of IPv6 stands for the /64 that it is of, all of which one client usually has; an address of IPv4 for itself. */
export function networkOf(address: string): string {
  // IPv4 as a socket for both versions shows it.
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  return [...groups, ...Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':')
}
