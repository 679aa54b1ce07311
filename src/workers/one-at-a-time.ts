import { MessageChannel, type MessagePort, type ResourceLimits, Worker, workerData } from 'node:worker_threads'
import {
  type ArgsOf,
  type Channel,
  ChannelClosed,
  type ErrorKind,
  type Functions,
  openChannel,
  type ResultOf,
} from '../planes/channel.ts'

/** The task was under way when its thread ended: memory ran out, it took too long, or there is a bug. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** The thread was closed before the task was done. */
export class ThreadClosed extends Error {
  override readonly name = 'ThreadClosed'
}

interface ThreadOptions {
  /** The program that the thread runs. It must call `answerTasks`. */
  readonly program: URL
  /** Returns what each new thread starts with: plain data. */
  readonly data: () => unknown
  /** Unset: as much memory as Node gives a thread. */
  readonly resourceLimits?: ResourceLimits
  /** Errors of other classes arrive as an Error with the same message and stack. */
  readonly errors?: readonly ErrorKind[]
  /** If a task takes longer, its thread ends; ms. Unset: no limit. */
  readonly patienceMs?: number
}

/** After this idle time, the thread ends, which frees its memory. */
const IDLE_MS = 30_000

interface RunOptions {
  /** The part of the arguments whose bytes are moved to the thread. Nothing else may use them afterwards. */
  readonly moved?: unknown
  /** The client that the task is for. Unset: none. */
  readonly client?: string | undefined
}

/** Runs tasks in a worker thread, one at a time. */
export interface OneAtATime<Tasks> {
  /** Resolves to what the task returns. Rejects with what it throws, with ThreadEnded, or with ThreadClosed. */
  run<Name extends keyof Tasks & string>(
    name: Name,
    args: ArgsOf<Tasks[Name]>,
    options?: RunOptions,
  ): Promise<ResultOf<Tasks[Name]>>
  /** Ends the thread. Pending tasks reject. */
  close(): Promise<void>
}

interface WaitingTask {
  /** Resolves when the task has ended, however it has. */
  run(): Promise<void>
  reject(error: Error): void
}

interface Thread<Tasks> {
  readonly channel: Channel<Tasks>
  /** Resolves with why it has ended. */
  readonly ended: Promise<Error>
  end(error: Error): Promise<void>
}

/**
 * Opens a worker thread that does one task at a time. The first task starts it. Clients take turns, so that a client with one task does not
 * wait for a thousand of another. Tasks without a client take turns with them, as if one client had them all. If the thread ends, only the
 * task under way fails, and the next one starts another. The thread does not keep the process alive.
 */
export function oneAtATime<Tasks extends Functions<Tasks>>(options: ThreadOptions): OneAtATime<Tasks> {
  const { patienceMs } = options
  /** The tasks by client. They are not sent yet, because sending copies everything that is not moved. */
  const waiting = new Map<string | undefined, WaitingTask[]>()
  let thread: Thread<Tasks> | undefined
  let isBusy = false
  let idle: NodeJS.Timeout | undefined

  /** Removes and returns the next task. The client that it is for then comes last. */
  const takeNext = (): WaitingTask | undefined => {
    for (const [client, line] of waiting) {
      const next = line.shift()
      waiting.delete(client)
      if (line.length > 0) waiting.set(client, line)
      return next
    }
    return undefined
  }
  const closeThread = async (): Promise<void> => {
    const closed = thread
    thread = undefined
    await closed?.end(new ThreadClosed('the gateway is stopping'))
  }
  const runNext = (): void => {
    const next = takeNext()
    isBusy = next !== undefined
    if (next === undefined) idle = setTimeout(closeThread, IDLE_MS).unref()
    else void next.run().then(runNext)
  }
  const call: OneAtATime<Tasks>['run'] = async (name, args, { moved } = {}) => {
    thread ??= startThread<Tasks>(options)
    const asked = thread
    const tooLong = () => void asked.end(new ThreadEnded('it took too long'))
    const patience = patienceMs === undefined ? undefined : setTimeout(tooLong, patienceMs).unref()
    try {
      return await asked.channel.ask(name, args, moved)
    } catch (error) {
      if (!(error instanceof ChannelClosed)) throw error
      if (thread === asked) thread = undefined
      throw await asked.ended
    } finally {
      clearTimeout(patience)
    }
  }

  return {
    run: (name, args, task = {}) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        const { client } = task
        const next: WaitingTask = { run: () => call(name, args, task).then(resolve, reject), reject }
        const line = waiting.get(client)
        if (line === undefined) waiting.set(client, [next])
        else line.push(next)
        if (!isBusy) runNext()
      }),
    async close() {
      const left = [...waiting.values()].flat()
      waiting.clear()
      for (const { reject } of left) reject(new ThreadClosed('the gateway is stopping'))
      clearTimeout(idle)
      await closeThread()
    },
  }
}

function startThread<Tasks extends Functions<Tasks>>({
  program,
  data,
  resourceLimits,
  errors = [],
}: ThreadOptions): Thread<Tasks> {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(program, {
    ...{ workerData: { port: port2, data: data() }, transferList: [port2] },
    ...(resourceLimits && { resourceLimits }),
  })
  const { promise: ended, resolve } = Promise.withResolvers<Error>()
  worker.on('error', (error: unknown) => {
    resolve(new ThreadEnded(`the thread failed: ${error instanceof Error ? error.message : String(error)}`))
  })
  worker.on('exit', () => resolve(new ThreadEnded('the thread ended')))
  worker.unref()
  const channel = openChannel<Tasks, object>(port1, {}, { errors })
  return {
    ...{ channel, ended },
    async end(error) {
      resolve(error)
      channel.close(error.message)
      await worker.terminate()
    },
  }
}

/** Returns what the thread was started with. */
export const threadData = <Data>(): Data => (workerData as { readonly data: Data }).data

/** Does the tasks that the thread is asked to. */
export function answerTasks<Tasks extends Functions<Tasks>>(tasks: Tasks): void {
  const { port } = workerData as { readonly port: MessagePort }
  openChannel(port, tasks, { freesArguments: true })
  port.ref()
}
