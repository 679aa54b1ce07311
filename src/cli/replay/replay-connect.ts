import { ReplayError } from '../../compare/replay/replay-error.ts'
import { type Connecting, connectorTo } from '../../upstream/connector.ts'
import { tryConnection } from '../../upstream/try-connection.ts'

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
    const why = await tryConnection(url, connectorTo(connecting, timeoutMs))
    return why === undefined ? [] : [`cannot connect to ${name} at ${url.href.replace(/\/$/, '')}: ${why}`]
  })
  const problems = (await Promise.all(checks)).flat()
  if (problems.length > 0) throw new ReplayError(problems.join('\n'))
}
