import type { MessagePort } from 'node:worker_threads'

/** Functions that the other side offers, by name. They may be asynchronous; arguments and results are plain data. */
export type Functions<Names> = { readonly [Name in keyof Names]: (...args: never[]) => unknown }

export type ArgsOf<Function> = Function extends (...args: infer Args) => unknown ? Args : never
export type ResultOf<Function> = Function extends (...args: never[]) => infer Result ? Awaited<Result> : never

/** The other side of the channel is gone: its thread has ended, or was ended. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed'
}

/** Calls functions of another thread. What is sent first arrives first. */
export interface Channel<Offered> {
  /**
   * Calls a function. Rejects with what it throws, or with ChannelClosed.
   * @param moved the part of the arguments whose bytes are moved, if there are 64 KB or more, and not copied. Nothing else may use them
   *   afterwards.
   */
  ask<Name extends keyof Offered & string>(
    name: Name,
    args: ArgsOf<Offered[Name]>,
    moved?: unknown,
  ): Promise<ResultOf<Offered[Name]>>
  /** Calls a function whose outcome does not matter. */
  tell<Name extends keyof Offered & string>(name: Name, args: ArgsOf<Offered[Name]>): void
  /** Ends the channel. Calls under way reject. */
  close(why: string): void
}

/** A class of errors that keep their class and their members on the way. */
export type ErrorKind = abstract new (...args: never[]) => Error

/** A call on its way; `id` undefined: nobody waits for its outcome. */
interface CallMessage {
  readonly id: number | undefined
  readonly name: string
  readonly args: readonly unknown[]
}

/** The outcome of a call on its way back. */
type OutcomeMessage = { readonly of: number } & ({ readonly result: unknown } | { readonly error: PlainError })

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
}

interface ChannelOptions {
  /** Errors of other classes arrive as an Error with the same message and stack. */
  readonly errors?: readonly ErrorKind[]
  /**
   * Whether to free the memory of moved arguments as soon as a call is answered: the garbage collector sees only the small objects around
   * that memory, and would run late.
   */
  readonly freesArguments?: boolean
}

/**
 * Opens a channel to another thread, or to another part of this one. Bytes of 64 KB and more in a result are moved.
 * @param offered what the other side may call.
 */
export function openChannel<Asked extends Functions<Asked>, Offered extends Functions<Offered>>(
  port: MessagePort,
  offered: Offered,
  { errors = [], freesArguments = false }: ChannelOptions = {},
): Channel<Asked> {
  const pending = new Map<number, PendingCall>()
  const byName = offered as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
  let lastId = 0
  let closed: string | undefined
  const answer = async ({ id, name, args }: CallMessage): Promise<void> => {
    try {
      const result = await byName[name]?.(...args)
      if (id !== undefined) port.postMessage({ of: id, result } satisfies OutcomeMessage, [...bytesIn(result)])
    } catch (error) {
      if (id !== undefined) port.postMessage({ of: id, error: plainError(error) } satisfies OutcomeMessage)
    }
    if (freesArguments) for (const buffer of bytesIn(args)) if (!buffer.detached) buffer.transfer(0)
  }
  const settle = (message: OutcomeMessage): void => {
    const call = pending.get(message.of)
    pending.delete(message.of)
    if ('error' in message) call?.reject(errorOf(message.error, errors))
    else call?.resolve(message.result as never)
  }
  const close = (why: string): void => {
    if (closed !== undefined) return
    closed = why
    port.close()
    for (const { reject } of pending.values()) reject(new ChannelClosed(why))
    pending.clear()
  }
  port.on('message', (message: CallMessage | OutcomeMessage) => {
    if ('of' in message) settle(message)
    else void answer(message)
  })
  port.on('close', () => close('the other side has ended'))
  port.unref()
  return {
    ask: (name, args, moved) =>
      new Promise((resolve, reject) => {
        if (closed !== undefined) return reject(new ChannelClosed(closed))
        const id = ++lastId
        pending.set(id, { resolve, reject })
        port.postMessage({ id, name, args } satisfies CallMessage, [...bytesIn(moved)])
      }),
    tell: (name, args) => port.postMessage({ id: undefined, name, args } satisfies CallMessage),
    close,
  }
}

/** Returns an error as plain data. */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { kind: 'Error', message: String(error), stack: undefined, members: {} }
  const members = Object.entries(error).filter(([, value]) => Object(value) !== value)
  const { message, stack } = error
  return { kind: error.constructor.name, message, stack, members: Object.fromEntries(members) }
}

/** Returns the error that `plainError` made plain. */
export function errorOf({ kind: name, message, stack, members }: PlainError, kinds: readonly ErrorKind[]): Error {
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  const kind = kinds.find((each) => each.name === name)
  return kind === undefined ? error : Object.assign(Object.setPrototypeOf(error, kind.prototype), members)
}

/** Smaller arrays are copied, which is just as fast: they may be slices of memory that Node shares between many buffers. */
const LEAST_MOVED = 65_536

/** Finds the memory of large byte arrays in a message, which can be moved to another thread without a copy. */
function bytesIn(value: unknown): ReadonlySet<ArrayBuffer> {
  const all = new Set<ArrayBuffer>()
  const look = (inner: unknown): void => {
    if (inner instanceof Uint8Array) {
      const { buffer, byteLength } = inner
      const isMostOfIt = byteLength >= LEAST_MOVED && byteLength * 2 > buffer.byteLength
      if (isMostOfIt && buffer instanceof ArrayBuffer) all.add(buffer)
    } else if (Array.isArray(inner)) inner.forEach(look)
    else if (inner instanceof Map) for (const each of inner.values()) look(each)
    else if (typeof inner === 'object' && inner !== null && !(inner instanceof Set)) Object.values(inner).forEach(look)
  }
  look(value)
  return all
}
