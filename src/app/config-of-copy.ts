import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { within } from '../common/promises.ts'
import { StartError } from '../data-plane/http/listen.ts'
import type { Account } from '../recordings/replay/replay-login.ts'
import { hostOf, isLoopback } from './config-checks.ts'

/** A test installation of v1. What is created there harms nobody. */
export interface CopySettings {
  readonly baseUrl: URL
  /** The account with which the gateway logs in to it. */
  readonly account: Account
  /** The response header, in lower case, in which it states its release; undefined: it does not. */
  readonly releaseHeader: string | undefined
}

/** What the variables of the copy say, and which services it must not be. */
interface CopyVariables {
  readonly V1_COPY_BASE_URL?: URL | undefined
  readonly V1_COPY_IS_A_COPY?: 'yes' | undefined
  readonly V1_COPY_CLIENT_ID?: string | undefined
  readonly V1_COPY_SECRET_KEY?: string | undefined
  readonly V1_COPY_CLIENT_CERT?: string | undefined
  readonly V1_COPY_CLIENT_KEY?: string | undefined
  readonly V1_COPY_CA?: string | undefined
  readonly V1_COPY_RELEASE_HEADER?: string | undefined
  readonly V1_BASE_URL?: URL | undefined
  readonly LEGACY_BASE_URL?: URL | undefined
}

const OTHERS = [
  ...(['V1_COPY_IS_A_COPY', 'V1_COPY_CLIENT_ID', 'V1_COPY_SECRET_KEY', 'V1_COPY_CLIENT_CERT'] as const),
  ...(['V1_COPY_CLIENT_KEY', 'V1_COPY_CA', 'V1_COPY_RELEASE_HEADER'] as const),
]

const REAL_SERVICES = ['V1_BASE_URL', 'LEGACY_BASE_URL'] as const

/**
 * Returns the copy of v1; undefined: none is set. Adds to `problems` what is wrong with its variables.
 * @param servesCalls false: a command reads only whether there is one, and needs none of its other variables.
 */
export function copyOf(set: CopyVariables, servesCalls: boolean, problems: string[]): CopySettings | undefined {
  const { V1_COPY_BASE_URL: baseUrl, V1_COPY_CLIENT_ID: clientId = '', V1_COPY_SECRET_KEY: secretKey = '' } = set
  if (baseUrl === undefined) {
    const named = OTHERS.filter((name) => set[name] !== undefined)
    if (named.length > 0) problems.push(`V1_COPY_BASE_URL must be set when ${named[0]} is`)
    return undefined
  }
  for (const name of REAL_SERVICES) {
    const real = set[name]
    if (real !== undefined && hasSameName(baseUrl, real)) problems.push(isNoCopy(name))
  }
  if (servesCalls) {
    if (set.V1_COPY_IS_A_COPY === undefined && !isLoopback(hostOf(baseUrl.hostname))) {
      problems.push(
        'V1_COPY_IS_A_COPY must be yes when V1_COPY_BASE_URL is not a loopback address: whoever sets it says that what is created there harms nobody',
      )
    }
    for (const name of ['V1_COPY_CLIENT_ID', 'V1_COPY_SECRET_KEY'] as const) {
      if (set[name] === undefined) {
        problems.push(
          `${name} must be set with V1_COPY_BASE_URL: the gateway logs in to the copy with an account of its own`,
        )
      }
    }
  }
  return { baseUrl, account: { clientId, secretKey }, releaseHeader: set.V1_COPY_RELEASE_HEADER }
}

const isNoCopy = (name: string): string =>
  `V1_COPY_BASE_URL is the service of ${name}: each write would be carried out there twice; name a test installation`

/** Whether two URLs name the same host and port, as far as their names show. The ports of http and https are one service's. */
function hasSameName(one: URL, other: URL): boolean {
  const [host, otherHost] = [hostOf(one.hostname), hostOf(other.hostname)]
  return isOnePort(portOf(one), portOf(other)) && (host === otherHost || (isLoopback(host) && isLoopback(otherHost)))
}

const STANDARD_PORTS: readonly string[] = ['80', '443']
const isOnePort = (one: string, other: string): boolean =>
  one === other || [one, other].every((port) => STANDARD_PORTS.includes(port))

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

/** How long the start waits for a name server. */
const LOOK_UP_MS = 3_000

/**
 * Checks that the names of the copy and of a real service do not lead to one address and port. A name that cannot be looked up now is no
 * reason not to start.
 * @throws StartError that names the variable of the service.
 */
export async function refuseRealServices(
  copy: URL,
  real: { readonly v1: URL; readonly legacy: URL | undefined },
): Promise<void> {
  const services = [
    ['V1_BASE_URL', real.v1],
    ['LEGACY_BASE_URL', real.legacy],
  ] as const
  const addresses = await addressesOf(copy)
  for (const [name, url] of services) {
    if (url === undefined || !isOnePort(portOf(url), portOf(copy))) continue
    const others = await addressesOf(url)
    if (addresses.some((address) => others.includes(address))) throw new StartError(isNoCopy(name))
  }
}

async function addressesOf({ hostname }: URL): Promise<readonly string[]> {
  const host = hostOf(hostname)
  if (isIP(host) !== 0) return [host]
  const found = await within(LOOK_UP_MS, lookup(host, { all: true })).catch(() => undefined)
  return (found ?? []).map(({ address }) => address)
}
