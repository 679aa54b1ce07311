import { Worker } from 'node:worker_threads'
import { StateError } from './state-error.ts'

/** A request to the thread. */
export interface Asked {
  readonly id: number
  readonly call: string
  readonly args: readonly unknown[]
}

/** The thread's answer: a value or an error. */
export interface Answered {
  readonly id: number
  readonly value?: unknown
  readonly error?: ThreadError
}

/** An error as plain data. `data` is for errors of a kind that only the caller knows. */
export interface ThreadError {
  readonly message: string
  readonly isBusy: boolean
  readonly data?: unknown
}

/** What the thread says without being asked. */
export interface Told {
  readonly told: unknown
}

type Call = (...args: never[]) => unknown
type ArgsOf<Function> = Function extends (...args: infer Args) => unknown ? Args : never
type ResultOf<Function> = Function extends (...args: never[]) => infer Result ? Awaited<Result> : never

export interface AskedThread<Api> {
  /** Calls a function of the thread, starting the thread if necessary. The process stays alive until the answer comes. */
  ask<Name extends keyof Api & string>(call: Name, ...args: ArgsOf<Api[Name]>): Promise<ResultOf<Api[Name]>>
  /** Calls `close` of the thread and ends it, within `withinMs` at the latest. A thread that hangs is left alone. */
  close(withinMs: number): Promise<void>
}

export interface AskOptions {
  readonly program: URL
  /** Returns what each new thread starts with. */
  readonly workerData: () => unknown
  /** The store's name in messages. */
  readonly name: string
  /** Returns the error that the thread's caller gets. */
  readonly errorOf?: (error: ThreadError) => Error
  readonly onTold?: (told: never) => void
}

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

const stateError = ({ message, isBusy }: ThreadError): Error => new StateError(message, isBusy)

/**
 * Calls functions of a worker thread. The thread waits for a disk or a network, so that nothing else has to. If it ends, its
 * calls reject with a StateError, and the next call starts another thread.
 */
export function askThread<Api extends { readonly [Name in keyof Api]: Call }>({
  program,
  workerData,
  name,
  errorOf = stateError,
  onTold,
}: AskOptions): AskedThread<Api> {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0

  const started = (): Worker => {
    if (worker !== undefined) return worker
    const thread = new Worker(program, { workerData: workerData() })
    let reason = 'its thread ended'
    thread.on('message', (message: Answered | Told) => {
      if ('told' in message) onTold?.(message.told as never)
      else settle(thread, message)
    })
    thread.once('error', (error) => {
      reason = `its thread failed: ${error instanceof Error ? error.message : String(error)}`
    })
    thread.once('exit', () => {
      worker = undefined
      const all = [...waiting.values()]
      waiting.clear()
      for (const { reject } of all) reject(new StateError(`${name} cannot be used: ${reason}`, false))
    })
    // A listener would keep the process alive.
    thread.unref()
    worker = thread
    return thread
  }
  const settle = (thread: Worker, { id, value, error }: Answered): void => {
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (waiting.size === 0) thread.unref()
    if (error !== undefined) reject?.(errorOf(error))
    else resolve?.(value as never)
  }
  const run = (call: string, args: readonly unknown[]): Promise<never> =>
    new Promise((resolve, reject) => {
      const thread = started()
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      thread.ref()
      thread.postMessage({ id, call, args } satisfies Asked)
    })
  return {
    ask: (name, ...args) => run(name, args),
    async close(withinMs) {
      if (worker === undefined) return
      const thread = worker
      run('close', []).catch(() => undefined)
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
