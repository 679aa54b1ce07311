import { Worker } from 'node:worker_threads'
import type { StateDb } from './state-db.ts'
import { StateError, StateLost, type StateStore } from './state-store.ts'

/** What the thread is asked. */
export interface Asked {
  readonly id: number
  readonly call: keyof StateDb
  readonly args: readonly unknown[]
}

/** What it answers: one of these. */
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
 * Keeps results in an SQLite file, which a thread of its own writes: nobody waits for the disk, or for a process that has the
 * file locked, but the promise. A thread that ends is started anew when it is needed again.
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
      // The process goes on as long as something is waited for.
      thread.ref()
      thread.postMessage({ id, call, args } satisfies Asked)
    })

  return {
    name: path,
    open: (now) => ask('open', now),
    read: (after) => ask('read', after),
    keep: (what) => ask('keep', what),
    forgetBefore: (day) => ask('forgetBefore', day),
    async close(withinMs) {
      if (worker === undefined) return
      const thread = worker
      ask('close').catch(() => undefined)
      await new Promise<void>((resolve) => {
        // A thread that hangs in the disk cannot even be ended: it is not waited for.
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
