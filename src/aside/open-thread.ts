import { type ResourceLimits, Worker } from 'node:worker_threads'
import { JsonError } from '../engine/json/json-scan.ts'
import { PromiseError } from '../engine/rewrite/rewrite-options.ts'
import type { Reply, Task } from './messages.ts'
import { bytesIn } from './transfer.ts'

/** After this idle time, a thread ends, which frees its memory. */
const IDLE_MS = 30_000

/** The task was under way when its thread ended: memory ran out, it took too long, or there is a bug. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** The thread was closed before the task was done. */
export class ThreadClosed extends Error {
  override readonly name = 'ThreadClosed'
}

export interface ThreadOptions {
  /** The program that the thread runs. It must call `answerTasks`. */
  readonly program: URL
  /** Returns what each new thread starts with. */
  readonly workerData: () => unknown
  /** Unset: as much memory as Node gives a thread. */
  readonly resourceLimits?: ResourceLimits
  /** If a task takes longer, its thread ends; ms. Unset: no limit. */
  readonly patienceMs?: number
}

export interface RunOptions {
  /** Bytes whose memory is transferred to the thread. Nothing else may use them afterwards. */
  readonly transferred?: unknown
  /** Whether other tasks go before this one. */
  readonly canWait?: boolean
}

/** Runs tasks in a worker thread, one after the other. */
export interface Thread {
  /**
   * Resolves to what the task returns. Rejects with what it throws, with ThreadEnded, or with ThreadClosed.
   * @param args plain data.
   */
  run<T>(name: string, args: readonly unknown[], options?: RunOptions): Promise<T>
  /** Ends the thread. Pending tasks reject. */
  close(): Promise<void>
}

interface Waiting extends Required<Pick<RunOptions, 'canWait'>> {
  readonly task: Task
  readonly transferred: unknown
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * Opens a worker thread. The first task starts it, and it does not keep the process alive. If it ends, only the task under way
 * fails; the others run in a new thread.
 */
export function openThread({ program, workerData, resourceLimits, patienceMs }: ThreadOptions): Thread {
  /**
   * The first task is under way. The others are not sent yet, because sending copies everything that is not
   * transferred.
   */
  const waiting: Waiting[] = []
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let patience: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const started = new Worker(program, { workerData: workerData(), ...(resourceLimits && { resourceLimits }) })
    started.on('message', (reply: Reply) => {
      if (thread !== started) return
      const first = waiting.shift()
      sendNext()
      if ('error' in reply) first?.reject(errorOf(reply.error))
      else first?.resolve(reply.result)
    })
    const ended = (error: Error): void => {
      if (thread === started) replace(error.message)
    }
    started.on('error', ended)
    started.on('exit', () => ended(new Error('the thread ended')))
    // Must come after the listeners: adding one for messages would keep the process alive again.
    started.unref()
    return started
  }
  /** Gives the thread up. The remaining tasks go to a new one. */
  const replace = (reason: string): void => {
    void thread?.terminate()
    thread = undefined
    const first = waiting.shift()
    sendNext()
    first?.reject(new ThreadEnded(reason))
  }
  const sendNext = (): void => {
    clearTimeout(patience)
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      try {
        thread ??= start()
        thread.postMessage(first.task, [...bytesIn(first.transferred)])
        if (patienceMs !== undefined) patience = setTimeout(replace, patienceMs, 'it took too long').unref()
        return
      } catch (error) {
        waiting.shift()
        first.reject(error as Error)
      }
    }
    clearTimeout(idle)
    idle = setTimeout(() => void end(), IDLE_MS).unref()
  }
  const end = async (): Promise<void> => {
    clearTimeout(idle)
    clearTimeout(patience)
    const ending = thread
    thread = undefined
    await ending?.terminate()
  }

  return {
    run: <T>(name: string, args: readonly unknown[], { transferred, canWait = false }: RunOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        clearTimeout(idle)
        const task: Waiting = {
          ...{ task: { name, args }, transferred, canWait },
          ...{ resolve: resolve as (result: unknown) => void, reject },
        }
        const firstOther = canWait ? -1 : waiting.findIndex((other, index) => index > 0 && other.canWait)
        waiting.splice(firstOther === -1 ? waiting.length : firstOther, 0, task)
        if (waiting.length === 1) sendNext()
      }),
    async close() {
      for (const { reject } of waiting.splice(0)) reject(new ThreadClosed('the gateway is stopping'))
      await end()
    },
  }
}

function errorOf({ kind, message, stack, position }: Extract<Reply, { error: unknown }>['error']): Error {
  if (kind === 'JsonError') return new JsonError(position)
  const error = kind === 'PromiseError' ? Object.assign(new PromiseError('', ''), { message }) : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
