import type { Schema } from './describe-type.ts'

/** Where the gateway listens for calls to the legacy interface. */
export interface LegacyAddress {
  /** A name or an address of this machine, or a wildcard address. */
  readonly host: string
  readonly port: number
}

/**
 * Returns the origin of the legacy interface. If it listens on every address of the machine, the name is `askedHost`,
 * the host that the client requested the description from.
 */
export function originOf({ host, port }: LegacyAddress, askedHost: string): string {
  const name = EVERY_ADDRESS.test(host) ? askedHost : host
  return new URL(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`).origin
}

/** Wildcard addresses: `0.0.0.0`, `::`, and other ways to write them. */
const EVERY_ADDRESS = /^[0:.]*$/

/**
 * Describes OpenAPI's `servers`. The first is the gateway's own complete address, because generated clients use it by
 * default. The gateway does not know a proxy in front of it, so the second has the origin as a variable.
 */
export const describeServers = (origin: string, basePath: string): readonly Schema[] => [
  { url: `${origin}${basePath}`, description: 'The gateway itself.' },
  {
    url: `{origin}${basePath}`,
    description: 'The gateway under another name, such as that of a proxy in front of it.',
    variables: {
      origin: { default: origin, description: 'Scheme, host and port, without a trailing slash.' },
    },
  },
]
