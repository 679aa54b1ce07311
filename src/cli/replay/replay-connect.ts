import { getSystemErrorMessage } from 'node:util'
import { ReplayError } from '../../compare/replay/replay-error.ts'
import { type Connecting, type Connector, connectorTo } from '../../upstream/connector.ts'

/** A side: its name in messages, its URL, and how to connect to it. */
export interface Side {
  readonly name: string
  readonly url: URL
  readonly connecting: Connecting
}

/**
 * Checks that every side accepts connections: opens one to each, as the replay does, and closes it again.
 * @throws ReplayError that names every side that accepts none.
 */
export async function checkConnections(sides: readonly Side[], timeoutMs: number): Promise<void> {
  const checks = sides.map(async ({ name, url, connecting }) => {
    const why = await whyNot(url, connectorTo(connecting, timeoutMs))
    return why === undefined ? [] : [`cannot connect to ${name} at ${url.href.replace(/\/$/, '')}: ${why}`]
  })
  const problems = (await Promise.all(checks)).flat()
  if (problems.length > 0) throw new ReplayError(problems.join('\n'))
}

function whyNot({ hostname, host, protocol, port }: URL, connect: Connector): Promise<string | undefined> {
  const name = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    connect({ hostname: name, host, protocol, port }, (error, socket) => {
      socket?.destroy()
      resolve(error === null ? undefined : reasonOf(error))
    })
  })
}

/** Returns the first reason. A name with several addresses fails with an error for each. */
function reasonOf(error: Error): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : []
  if ('errno' in first && typeof first.errno === 'number') return getSystemErrorMessage(first.errno)
  return 'code' in first ? String(first.code) : first.message
}
