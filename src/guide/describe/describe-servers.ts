import type { Schema } from './describe-type.ts'

/** Where the gateway listens for calls of the legacy interface. */
export interface LegacyAddress {
  /** A name or an address of this machine, or one that stands for all of them. */
  readonly host: string
  readonly port: number
}

/**
 * The origin of the legacy interface. Where it listens on every address of the machine, the machine's name is taken from
 * `askedHost`, under which the description itself was asked for.
 */
export function originOf({ host, port }: LegacyAddress, askedHost: string): string {
  const name = EVERY_ADDRESS.test(host) ? askedHost : host
  return new URL(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`).origin
}

/** `0.0.0.0`, `::`, and other ways to write them. */
const EVERY_ADDRESS = /^[0:.]*$/

/**
 * OpenAPI's `servers`: the gateway's own address first, whole, because generated clients call that one unasked. The gateway does
 * not know of a proxy in front of it: the second server has that origin as a variable.
 */
export const describeServers = (origin: string, basePath: string): readonly Schema[] => [
  { url: `${origin}${basePath}`, description: 'The gateway itself.' },
  {
    url: `{origin}${basePath}`,
    description: 'The gateway under another name, for instance that of a proxy in front of it.',
    variables: {
      origin: { default: origin, description: 'Scheme, host and port, without a slash at the end.' },
    },
  },
]
