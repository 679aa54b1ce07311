import { escapeIdentifier } from 'pg'
import type { Connect, Connection } from './postgres-connection.ts'
import { PostgresError } from './postgres-error.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

/** Listens for `NOTIFY` over a separate connection, which is reopened when it is lost. It does not keep the process alive. */
export interface Listening {
  add(channel: string, onNotify: () => void): void
  close(withinMs: number): Promise<void>
}

/** @param log called once each time listening stops working. */
export function listening(connect: Connect, log: (problem: string) => void): Listening {
  const heard = new Map<string, (() => void)[]>()
  let connection: Connection | undefined
  let isOpening = false
  let isClosed = false
  let pauseMs = FIRST_PAUSE_MS
  let timer: NodeJS.Timeout | undefined
  let isTold = false

  const again = (reason: string): void => {
    if (isClosed) return
    if (!isTold) log(reason)
    isTold = true
    timer = setTimeout(open, pauseMs).unref()
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
  const open = async (): Promise<void> => {
    isOpening = true
    try {
      const opened = await connect(true)
      connection = opened
      if (isClosed) return opened.destroy()
      opened.onNotification((channel) => {
        for (const notify of heard.get(channel) ?? []) notify()
      })
      // Includes channels that are added meanwhile.
      for (const channel of heard.keys()) await opened.query(`LISTEN ${escapeIdentifier(channel)}`)
      if (!opened.isOpen) throw new PostgresError('', { reason: 'the connection was closed' })
      opened.onClose(() => {
        connection = undefined
        again('the connection that listens for changes was lost')
      })
      pauseMs = FIRST_PAUSE_MS
      isTold = false
    } catch (error) {
      connection?.destroy()
      connection = undefined
      if (!(error instanceof PostgresError)) throw error
      again(error.message)
    } finally {
      isOpening = false
    }
  }
  return {
    add(channel, onNotify) {
      const callbacks = heard.get(channel)
      heard.set(channel, [...(callbacks ?? []), onNotify])
      if (isOpening || isClosed || (timer !== undefined && connection === undefined)) return
      if (connection === undefined) void open()
      else if (callbacks === undefined)
        connection.query(`LISTEN ${escapeIdentifier(channel)}`).catch(() => connection?.destroy())
    },
    async close(withinMs) {
      isClosed = true
      clearTimeout(timer)
      await connection?.end(withinMs)
    },
  }
}
