import { LRUCache } from 'lru-cache'
import type { Call } from './call.ts'

/**
 * With whom a call shares what a service can do: the client that our own token names, else the network that it came from. Any
 * other token says nothing: whoever writes a new one for each call must not be many clients.
 */
export const shareOf = ({ credentials, request }: Pick<Call, 'credentials' | 'request'>): string =>
  credentials.client ?? networkOf(request.peer)

/**
 * The network of an address: of IPv6 in its short form the /64, all of which one client usually has; an address of IPv4, also
 * where it came as IPv6, is one of its own.
 */
export function networkOf(address: string): string {
  return !address.includes(':') || address.includes('.') ? address : networks.memo(address)
}

/** The same clients call again and again. */
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
