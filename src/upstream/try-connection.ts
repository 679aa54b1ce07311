import { getSystemErrorMessage } from 'node:util'
import type { Connector } from './connector.ts'
import { inWords } from './why-unreachable.ts'

/** Opens a connection to a service, and closes it again. Resolves with the reason in words if there is none. */
export function tryConnection(
  { hostname, host, protocol, port }: URL,
  connect: Connector,
): Promise<string | undefined> {
  const name = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    connect({ hostname: name, host, protocol, port }, (error, socket) => {
      socket?.destroy()
      resolve(error === null ? undefined : reasonOf(error))
    })
  })
}

/** For a name with several addresses, the reasons of all. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message !== '') return error.message
  const code = 'code' in error ? String(error.code) : undefined
  const known = inWords(error)
  if ('errno' in error && typeof error.errno === 'number') return known ?? getSystemErrorMessage(error.errno)
  const text = code ?? error.message
  return known === undefined ? text : `${known} (${text})`
}
