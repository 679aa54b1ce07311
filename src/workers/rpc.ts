import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads'
import { serial } from '../common/promises.ts'

/** Functions that another thread offers, by name. They may be asynchronous; arguments and results are plain data. */
export type Functions<Names> = { readonly [Name in keyof Names]: (...args: never[]) => unknown }

export type ArgsOf<Function> = Function extends (...args: infer Args) => unknown ? Args : never
export type ResultOf<Function> = Function extends (...args: never[]) => infer Result ? Awaited<Result> : never

/** The call was under way when its thread ended: memory ran out, it took too long, or there is a bug. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** The thread was closed before the call was done. */
export class ThreadClosed extends Error {
  override readonly name = 'ThreadClosed'
}

/** Calls functions of a worker thread. */
export interface Rpc<Offered> {
  /**
   * Calls a function, starting the thread if there is none. Rejects with what the function throws, with ThreadEnded, or with
   * ThreadClosed.
   * @param transferred the part of the arguments whose bytes are transferred to the thread. Nothing else may use them afterwards.
   */
  call<Name extends keyof Offered & string>(
    name: Name,
    args: ArgsOf<Offered[Name]>,
    transferred?: unknown,
  ): Promise<ResultOf<Offered[Name]>>
  isRunning(): boolean
  /** Ends the thread. Calls under way reject. A later call starts another thread. */
  close(): Promise<void>
}

/** A class of errors that keep their class and their members on the way from the thread. */
type ErrorKind = abstract new (...args: never[]) => Error

export interface RpcOptions {
  /** The program that the thread runs. It must call `answerCalls`. */
  readonly program: URL
  /** Returns what each new thread starts with. */
  readonly workerData: () => unknown
  /** Unset: as much memory as Node gives a thread. */
  readonly resourceLimits?: ResourceLimits
  /** Errors of other classes arrive as an Error with the same message and stack. */
  readonly errors?: readonly ErrorKind[]
  /** Called with what the thread says without being asked (`tell`). */
  readonly onTold?: (news: never) => void
  /** Whether the process stays alive while calls are under way. */
  readonly keepsAlive?: boolean
  /** If a call takes longer, its thread ends; ms. Unset: no limit. */
  readonly patienceMs?: number | undefined
}

/** A call on its way to the thread. */
interface CallMessage {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

/** The outcome of a call on its way back. */
type OutcomeMessage = { readonly id: number } & ({ readonly result: unknown } | { readonly error: PlainError })

/** An error as plain data. */
interface PlainError {
  readonly kind: string
  readonly message: string
  readonly stack: string | undefined
  /** The members that are not objects. */
  readonly members: Readonly<Record<string, unknown>>
}

interface PendingCall {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
  readonly patience: NodeJS.Timeout | undefined
}

/**
 * Calls functions of a worker thread. The first call starts it. If it ends, the calls under way reject, and the next call starts
 * another.
 */
export function openRpc<Offered extends Functions<Offered>>({
  program,
  workerData,
  resourceLimits,
  errors = [],
  onTold,
  keepsAlive = false,
  patienceMs,
}: RpcOptions): Rpc<Offered> {
  const pending = new Map<number, PendingCall>()
  let current: Worker | undefined
  let lastId = 0

  const start = (): Worker => {
    const thread = new Worker(program, { workerData: workerData(), ...(resourceLimits && { resourceLimits }) })
    let reason = 'the thread ended'
    thread.on('message', (message: OutcomeMessage | { readonly told: unknown }) => {
      if ('told' in message) onTold?.(message.told as never)
      else if (current === thread) settle(message)
    })
    thread.on('error', (error: unknown) => {
      reason = `the thread failed: ${error instanceof Error ? error.message : String(error)}`
    })
    thread.on('exit', () => giveUp(thread, new ThreadEnded(reason)))
    // Must come after the listeners: adding one for messages would keep the process alive again.
    thread.unref()
    return thread
  }
  const settle = (message: OutcomeMessage): void => {
    const call = takeCall(message.id)
    if ('error' in message) call?.reject(errorOf(message.error, errors))
    else call?.resolve(message.result as never)
  }
  const takeCall = (id: number): PendingCall | undefined => {
    const call = pending.get(id)
    pending.delete(id)
    clearTimeout(call?.patience)
    if (pending.size === 0) current?.unref()
    return call
  }
  /** Forgets a thread. The calls under way there reject. */
  const giveUp = (thread: Worker, error: Error): void => {
    if (current !== thread) return
    current = undefined
    for (const id of [...pending.keys()]) takeCall(id)?.reject(error)
  }
  const giveUpHanging = (thread: Worker): void => {
    giveUp(thread, new ThreadEnded('it took too long'))
    void thread.terminate()
  }

  return {
    call: (name, args, transferred) =>
      new Promise((resolve, reject) => {
        current ??= start()
        const id = ++lastId
        current.postMessage({ id, name, args } satisfies CallMessage, [...bytesIn(transferred)])
        const patience = patienceMs === undefined ? undefined : setTimeout(giveUpHanging, patienceMs, current).unref()
        pending.set(id, { resolve, reject, patience })
        if (keepsAlive) current.ref()
      }),
    isRunning: () => current !== undefined,
    async close() {
      const thread = current
      if (thread === undefined) return
      giveUp(thread, new ThreadClosed('the gateway is stopping'))
      await thread.terminate()
    },
  }
}

/**
 * Answers calls in this thread, one after the other, and transfers the memory of each result. Frees the memory of transferred arguments
 * at once, because nothing else uses it: the garbage collector sees only the small objects around that memory, and would run late.
 */
export function answerCalls(offered: object): void {
  const byName = offered as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
  const inTurn = serial()
  const answer = async ({ id, name, args }: CallMessage): Promise<void> => {
    try {
      const result = await byName[name]?.(...args)
      parentPort?.postMessage({ id, result } satisfies OutcomeMessage, [...bytesIn(result)])
    } catch (error) {
      parentPort?.postMessage({ id, error: plainError(error) } satisfies OutcomeMessage)
    }
    for (const buffer of bytesIn(args)) if (!buffer.detached) buffer.transfer(0)
  }
  parentPort?.on('message', (call: CallMessage) => void inTurn(() => answer(call)))
}

/** Sends news to the thread's owner. */
export const tell = (news: unknown): void => parentPort?.postMessage({ told: news })

function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { kind: 'Error', message: String(error), stack: undefined, members: {} }
  const members = Object.entries(error).filter(([, value]) => Object(value) !== value)
  const { message, stack } = error
  return { kind: error.constructor.name, message, stack, members: Object.fromEntries(members) }
}

function errorOf({ kind: name, message, stack, members }: PlainError, kinds: readonly ErrorKind[]): Error {
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  const kind = kinds.find((each) => each.name === name)
  return kind === undefined ? error : Object.assign(Object.setPrototypeOf(error, kind.prototype), members)
}

/** Smaller arrays are copied, which is just as fast: they may be slices of memory that Node shares between many buffers. */
const LEAST_TRANSFERRED = 65_536

/** Finds the memory of large byte arrays in a message, which can be transferred to another thread without a copy. */
function bytesIn(value: unknown): ReadonlySet<ArrayBuffer> {
  const all = new Set<ArrayBuffer>()
  const look = (inner: unknown): void => {
    if (inner instanceof Uint8Array) {
      const { buffer, byteLength } = inner
      const isMostOfIt = byteLength >= LEAST_TRANSFERRED && byteLength * 2 > buffer.byteLength
      if (isMostOfIt && buffer instanceof ArrayBuffer) all.add(buffer)
    } else if (Array.isArray(inner)) inner.forEach(look)
    else if (inner instanceof Map) for (const each of inner.values()) look(each)
    else if (typeof inner === 'object' && inner !== null && !(inner instanceof Set)) Object.values(inner).forEach(look)
  }
  look(value)
  return all
}
