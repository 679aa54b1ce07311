import { LRUCache } from 'lru-cache'
import type { Credentials } from './login/credentials.ts'

/**
 * Returns whose share of the slots a call uses: the client that our own token names, otherwise the network that the
 * call came from. Other tokens do not count: a client that writes a new one for each call must not pass for many
 * clients.
 */
export const shareOf = ({ client }: Credentials, network: string): string => client ?? network

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
