import { Worker } from 'node:worker_threads'
import { StateError } from '../../state/state-error.ts'
import type { StateDb } from './state-db.ts'
import { StateLost, type StateStore } from './state-store.ts'

/** A request to the thread. */
export interface Asked {
  readonly id: number
  readonly call: keyof StateDb
  readonly args: readonly unknown[]
}

/** The thread's answer: a value, an error or a loss. */
export interface Answered {
  readonly id: number
  readonly value?: unknown
  readonly error?: { readonly message: string; readonly isBusy: boolean }
  readonly lost?: { readonly isEmpty: boolean }
}

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

/**
 * Stores results in an SQLite file. A thread of its own writes it, so that neither the disk nor a lock of another process
 * blocks the event loop. If the thread ends, the next call starts another.
 */
export function fileStore(path: string, writer: string): StateStore {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0

  const started = (): Worker => {
    if (worker !== undefined) return worker
    const thread = new Worker(new URL('./state-worker.ts', import.meta.url), { workerData: { path, writer } })
    thread.unref()
    let reason = 'its thread ended'
    thread.on('message', (answered: Answered) => settle(waiting, thread, answered))
    thread.once('error', (error) => {
      reason = `its thread failed: ${error instanceof Error ? error.message : String(error)}`
    })
    thread.once('exit', () => {
      worker = undefined
      const all = [...waiting.values()]
      waiting.clear()
      for (const { reject } of all) reject(new StateError(`${path} cannot be used: ${reason}`, false))
    })
    worker = thread
    return thread
  }
  const ask = <Call extends keyof StateDb>(
    call: Call,
    ...args: Parameters<StateDb[Call]>
  ): Promise<ReturnType<StateDb[Call]>> =>
    new Promise((resolve, reject) => {
      const thread = started()
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      // Keeps the process alive while a call is pending.
      thread.ref()
      thread.postMessage({ id, call, args } satisfies Asked)
    })

  return {
    name: path,
    open: (now) => ask('open', now),
    read: (after) => ask('read', after),
    keep: (what) => ask('keep', what),
    resets: () => ask('resets'),
    forgetBefore: (day) => ask('forgetBefore', day),
    async close(withinMs) {
      if (worker === undefined) return
      const thread = worker
      ask('close').catch(() => undefined)
      await new Promise<void>((resolve) => {
        // A thread that hangs in a disk call cannot be terminated, so it is not awaited for longer.
        const timer = setTimeout(resolve, withinMs)
        thread.once('exit', () => {
          clearTimeout(timer)
          resolve()
        })
      })
      thread.unref()
      void thread.terminate()
    },
  }
}

function settle(waiting: Map<number, Waiting>, thread: Worker, { id, value, error, lost }: Answered): void {
  const { resolve, reject } = waiting.get(id) ?? {}
  waiting.delete(id)
  if (waiting.size === 0) thread.unref()
  if (error !== undefined) reject?.(new StateError(error.message, error.isBusy))
  else if (lost !== undefined) reject?.(new StateLost(lost.isEmpty))
  else resolve?.(value as never)
}
