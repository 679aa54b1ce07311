import { getSystemErrorMessage } from 'node:util'
import { buildConnector } from 'undici'
import { ReplayError } from '../../compare/replay/replay-error.ts'

/**
 * Connects to every side and hangs up again.
 * @param sides what each is called in messages, and where it is.
 * @throws ReplayError that names every side that cannot be connected to.
 */
export async function checkConnections(sides: readonly (readonly [string, URL])[], timeoutMs: number): Promise<void> {
  const checks = sides.map(async ([name, url]) => {
    const why = await whyNot(url, timeoutMs)
    return why === undefined ? [] : [`${name} at ${url.href.replace(/\/$/, '')} cannot be connected to: ${why}`]
  })
  const problems = (await Promise.all(checks)).flat()
  if (problems.length > 0) throw new ReplayError(problems.join('\n'))
}

function whyNot({ hostname, host, protocol, port }: URL, timeout: number): Promise<string | undefined> {
  // As the connections will be opened that are used then.
  const connect = buildConnector({ timeout })
  const name = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    connect({ hostname: name, host, protocol, port }, (error, socket) => {
      socket?.destroy()
      resolve(error === null ? undefined : reasonOf(error))
    })
  })
}

/** A name that has several addresses fails with an error for each. */
function reasonOf(error: Error): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : []
  if ('errno' in first && typeof first.errno === 'number') return getSystemErrorMessage(first.errno)
  return 'code' in first ? String(first.code) : first.message
}
