import { Worker } from 'node:worker_threads'
import type { ExplainedForm } from '../admin/dashboard/explain-page.ts'
import { JsonError } from '../engine/json/json-scan.ts'
import { PromiseError } from '../engine/rewrite/rewrite-options.ts'
import type { Aside } from '../gateway/aside.ts'
import type { ExplainAside, ExplainedBy } from '../guide/explain/explain-order.ts'
import type { RecordableExchange } from '../recording/record-line.ts'
import type { Reply, Task } from './messages.ts'
import type { PlainExplainer } from './tasks.ts'
import { bytesIn } from './transfer.ts'

/** A thread that is idle for this long ends, which frees its memory. */
const IDLE_MS = 30_000

export interface OpenedAside extends Aside, ExplainAside {
  /** Writes one exchange as a line of the recording, redacted. */
  exchangeLine(exchange: RecordableExchange): Promise<Buffer>
  /** Explains a form of the dashboard. Tasks of calls go first. */
  explainForm(by: ExplainedBy, form: Uint8Array): Promise<ExplainedForm>
  close(): Promise<void>
}

interface Waiting {
  readonly name: string
  readonly args: readonly unknown[]
  /** Bytes whose memory is transferred to the thread. Nothing else may use them any more. */
  readonly transferred: Uint8Array | undefined
  /** Whether a call waits for this task. Such tasks go first. */
  readonly isOfCall: boolean
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * Opens a worker thread for large texts. The first task starts the thread. If the thread ends, because memory runs out
 * or because of a bug, all its tasks fail, and the next task starts a new thread.
 * @param key the key for redacting recordings.
 */
export function openAside(key: Uint8Array): OpenedAside {
  /**
   * The first task is under way. The others are not sent yet, because sending copies everything that is not
   * transferred.
   */
  const waiting: Waiting[] = []
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const started = new Worker(new URL('thread.ts', import.meta.url), { workerData: { key } })
    started.unref()
    started.on('message', (reply: Reply) => {
      const task = waiting.shift()
      if (waiting.length === 0) endWhenIdle()
      else send(started)
      if ('error' in reply) task?.reject(errorOf(reply.error))
      else task?.resolve(reply.result)
    })
    const failAll = (error: Error): void => {
      if (thread !== started) return
      thread = undefined
      for (const { reject } of waiting.splice(0)) reject(error)
    }
    started.on('error', failAll)
    started.on('exit', () => failAll(new Error('the thread for large texts ended')))
    return started
  }
  const send = (to: Worker): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const { name, args, transferred } = first
      try {
        to.postMessage({ name, args } satisfies Task, transferred === undefined ? [] : [...bytesIn(transferred)])
        return
      } catch (error) {
        waiting.shift()
        first.reject(error as Error)
      }
    }
  }
  const endWhenIdle = (): void => {
    clearTimeout(idle)
    idle = setTimeout(() => void end(), IDLE_MS).unref()
  }
  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    await ending?.terminate()
  }

  const run = <T>(name: string, args: readonly unknown[], transferred?: Uint8Array, isOfCall = true): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      clearTimeout(idle)
      thread ??= start()
      const task = { name, args, transferred, isOfCall, resolve: resolve as (result: unknown) => void, reject }
      const firstOther = isOfCall ? waiting.findIndex((other, index) => index > 0 && !other.isOfCall) : -1
      waiting.splice(firstOther === -1 ? waiting.length : firstOther, 0, task)
      if (waiting.length === 1) send(thread)
    })

  return {
    translateRequest: (id, input) => run('translateRequest', [id, input]),
    rewritePage: (id, v1) => run('rewritePage', [id, v1], v1),
    rewriteRows: (id, v1, slice) => run('rewriteRows', [id, v1, slice], v1),
    checkAcknowledged: (v1) => run('checkAcknowledged', [v1], v1),
    explainOrder: (by, order) => run('explainOrder', [plain(by), order]),
    explainForm: (by, form) => run('explainForm', [plain(by), form], form, false),
    rewriteFilled: (id, kind, v1, request, lists) => run('rewriteFilled', [id, kind, v1, request, lists], v1),
    async exchangeLine(exchange) {
      const line = await run<Uint8Array>('exchangeLine', [exchange], undefined, false)
      return Buffer.from(line.buffer, line.byteOffset, line.byteLength)
    },
    async close() {
      await end()
      for (const { reject } of waiting.splice(0)) reject(new Error('the gateway is stopping'))
    },
  }
}

/** A URL object cannot be sent to another thread, so it is sent as text. */
const plain = ({ basePath, hasLegacy, v1BaseUrl, maxBodyBytes }: ExplainedBy) =>
  ({ basePath, hasLegacy, v1Url: v1BaseUrl.href, maxBodyBytes }) satisfies PlainExplainer

function errorOf({ kind, message, stack, position }: Extract<Reply, { error: unknown }>['error']): Error {
  if (kind === 'JsonError') return new JsonError(position)
  const error = kind === 'PromiseError' ? Object.assign(new PromiseError('', ''), { message }) : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
