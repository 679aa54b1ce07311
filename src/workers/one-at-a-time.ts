import { type ArgsOf, type Functions, openRpc, type ResultOf, type RpcOptions, ThreadClosed } from './rpc.ts'

/** After this idle time, the thread ends, which frees its memory. */
const IDLE_MS = 30_000

interface RunOptions {
  /** The part of the arguments whose bytes are transferred to the thread. Nothing else may use them afterwards. */
  readonly transferred?: unknown
  /** The client that the task is for. Unset: none. */
  readonly client?: string | undefined
  /** Whether all tasks of clients go before this one. */
  readonly canWait?: boolean
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

/**
 * Opens a worker thread that does one task at a time. Clients take turns, so that a client with one task does not wait for a thousand
 * of another. Tasks without a client take turns with them, as if one client had them all. If the thread ends, only the task under way
 * fails. The thread does not keep the process alive.
 */
export function oneAtATime<Tasks extends Functions<Tasks>>(options: RpcOptions): OneAtATime<Tasks> {
  const rpc = openRpc<Tasks>(options)
  /** The tasks by client. They are not sent yet, because sending copies everything that is not transferred. */
  const waiting = new Map<string | undefined, WaitingTask[]>()
  const canWaitLonger: WaitingTask[] = []
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
    return canWaitLonger.shift()
  }
  const runNext = (): void => {
    const next = takeNext()
    isBusy = next !== undefined
    if (next === undefined) idle = setTimeout(rpc.close, IDLE_MS).unref()
    else void next.run().then(runNext)
  }

  return {
    run: (name, args, { transferred, client, canWait = false } = {}) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        const task: WaitingTask = { run: () => rpc.call(name, args, transferred).then(resolve, reject), reject }
        const line = canWait ? canWaitLonger : waiting.get(client)
        if (line === undefined) waiting.set(client, [task])
        else line.push(task)
        if (!isBusy) runNext()
      }),
    async close() {
      const left = [...[...waiting.values()].flat(), ...canWaitLonger.splice(0)]
      waiting.clear()
      for (const { reject } of left) reject(new ThreadClosed('the gateway is stopping'))
      clearTimeout(idle)
      await rpc.close()
    },
  }
}
