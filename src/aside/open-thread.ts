import { type ResourceLimits, Worker } from 'node:worker_threads'
import { JsonError } from '../engine/json/scan-json.ts'
import { PromiseError } from '../engine/rewrite/plan.ts'
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
  /** The client that the task is for. Unset: none. */
  readonly client?: string | undefined
  /** Whether all tasks of clients go before this one. */
  readonly canWait?: boolean
}

/**
 * Runs tasks in a worker thread, one after the other. Clients take turns, so that a client with one task does not wait for a thousand
 * of another. Tasks without a client take turns with them, as if one client had them all.
 */
export interface Thread {
  /**
   * Resolves to what the task returns. Rejects with what it throws, with ThreadEnded, or with ThreadClosed.
   * @param args plain data.
   */
  run<T>(name: string, args: readonly unknown[], options?: RunOptions): Promise<T>
  /** Ends the thread. Pending tasks reject. */
  close(): Promise<void>
}

interface Waiting {
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
  let underWay: Waiting | undefined
  /** The other tasks, by client. They are not sent yet, because sending copies everything that is not transferred. */
  const waiting = new Map<string | undefined, Waiting[]>()
  const canWaitLonger: Waiting[] = []
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let patience: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const started = new Worker(program, { workerData: workerData(), ...(resourceLimits && { resourceLimits }) })
    started.on('message', (reply: Reply) => {
      if (thread !== started) return
      const done = underWay
      sendNext()
      if ('error' in reply) done?.reject(errorOf(reply.error))
      else done?.resolve(reply.result)
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
    const failed = underWay
    sendNext()
    failed?.reject(new ThreadEnded(reason))
  }
  /** Removes and returns the next task. The client that it is for then comes last. */
  const takeNext = (): Waiting | undefined => {
    for (const [client, line] of waiting) {
      const next = line.shift()
      waiting.delete(client)
      if (line.length > 0) waiting.set(client, line)
      return next
    }
    return canWaitLonger.shift()
  }
  const sendNext = (): void => {
    clearTimeout(patience)
    for (underWay = takeNext(); underWay !== undefined; underWay = takeNext()) {
      try {
        thread ??= start()
        thread.postMessage(underWay.task, [...bytesIn(underWay.transferred)])
        if (patienceMs !== undefined) patience = setTimeout(replace, patienceMs, 'it took too long').unref()
        return
      } catch (error) {
        underWay.reject(error as Error)
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
    run: <T>(name: string, args: readonly unknown[], { transferred, client, canWait }: RunOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        clearTimeout(idle)
        const added: Waiting = {
          ...{ task: { name, args }, transferred },
          ...{ resolve: resolve as (result: unknown) => void, reject },
        }
        const line = canWait === true ? canWaitLonger : waiting.get(client)
        if (line === undefined) waiting.set(client, [added])
        else line.push(added)
        if (underWay === undefined) sendNext()
      }),
    async close() {
      const left = [underWay, ...[...waiting.values()].flat(), ...canWaitLonger.splice(0)]
      underWay = undefined
      waiting.clear()
      for (const one of left) one?.reject(new ThreadClosed('the gateway is stopping'))
      await end()
    },
  }
}

function errorOf({ kind, message, stack, position, what }: Extract<Reply, { error: unknown }>['error']): Error {
  if (kind === 'JsonError') return new JsonError(position, what)
  const error = kind === 'PromiseError' ? Object.assign(new PromiseError('', ''), { message }) : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
