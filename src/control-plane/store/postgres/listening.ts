import { escapeIdentifier } from 'pg'
import type { Connect, Connection } from './postgres-connection.ts'
import { PostgresError } from './postgres-error.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/**
 * Calls `onNotify` for each `NOTIFY` on a channel, over a separate connection, which is reopened when it is lost. It does not keep the
 * process alive.
 * @returns what closes it, within so many ms.
 */
export function listenTo(connect: Connect, channel: string, onNotify: () => void): (withinMs: number) => Promise<void> {
  let connection: Connection | undefined
  let isClosed = false
  let pauseMs = FIRST_PAUSE_MS
  let timer: NodeJS.Timeout | undefined

  const again = (): void => {
    connection = undefined
    if (isClosed) return
    timer = setTimeout(open, pauseMs).unref()
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
  const open = async (): Promise<void> => {
    try {
      connection = await connect(true)
      if (isClosed) return connection.destroy()
      connection.onNotification(onNotify)
      await connection.query(`LISTEN ${escapeIdentifier(channel)}`)
      if (!connection.isOpen) throw new PostgresError('', { reason: 'the connection was closed' })
      connection.onClose(again)
      pauseMs = FIRST_PAUSE_MS
    } catch (error) {
      connection?.destroy()
      again()
      if (!(error instanceof PostgresError)) throw error
    }
  }
  void open()
  return async (withinMs) => {
    isClosed = true
    clearTimeout(timer)
    await connection?.end(withinMs)
  }
}
