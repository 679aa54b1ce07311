import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { LargeBody, release } from './body-memory.ts'
import type { Asking } from './guard.ts'
import { type Account, ANSWER_FACTOR, SMALL_BYTES } from './memory-budget.ts'
import { diedBeforeAnswer, UpstreamError } from './upstream-error.ts'

/** An answer as received, with its content codings. */
export interface ReceivedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** The outcome of a call. Exactly one of the two methods is called, once. */
export interface Outcome {
  answered(answer: ReceivedAnswer): void
  /** @param error the client library's error, or the reason why the call was given up. */
  failed(error: unknown): void
}

export interface ReceiverOptions {
  /** Larger bodies are `too-large`; bytes. */
  readonly limit: number
  /** Sends the call once more if the connection died before an answer began. Undefined: the call fails. */
  readonly askAgain: ((receiver: AnswerReceiver) => void) | undefined
  /** Notes that bytes of the call may have left. */
  readonly asking?: Asking | undefined
  /** The account that large answers take memory from. Undefined: memory is not counted. */
  readonly account?: Account | undefined
}

/**
 * Receives one answer whole. It is the client library's low-level handler, which needs no stream and no abort signal.
 */
export class AnswerReceiver implements Dispatcher.DispatchHandler {
  readonly #outcome: Outcome
  readonly #limit: number
  readonly #account: Account | undefined
  readonly #asking: Asking | undefined
  #askAgain: ReceiverOptions['askAgain']
  #controller: Dispatcher.DispatchController | undefined
  /** Why the call was given up. */
  #givenUp: Error | undefined
  #isOver = false
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #chunks: Uint8Array[] = []
  #length = 0
  /** Used instead of chunks if the body is large. */
  #large: LargeBody | undefined
  /** The length that the room taken so far is enough for. */
  #enoughFor = SMALL_BYTES
  #lacksRoom = false

  constructor(outcome: Outcome, { limit, askAgain, account, asking }: ReceiverOptions) {
    this.#outcome = outcome
    this.#limit = limit
    this.#askAgain = askAgain
    this.#account = account
    this.#asking = asking
  }

  /** Ends the call because it takes longer than `limitMs`. */
  expire(limitMs: number): void {
    const lacking = this.#lacksRoom ? this.#account : undefined
    const tooLate = new UpstreamError('timeout', `no complete answer within ${limitMs} ms`)
    this.giveUp(lacking?.memory.refuse('answer', this.#enoughFor * ANSWER_FACTOR) ?? tooLate)
  }

  /** Ends the call at once. Closes its connection if it is under way. */
  giveUp(reason: Error): void {
    if (this.#isOver) return
    this.#givenUp = reason
    this.#fail(reason)
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while the call waited for a connection.
    if (this.#givenUp !== undefined) controller.abort(this.#givenUp)
    // There is a connection, and the client library writes next.
    else if (this.#asking !== undefined) this.#asking.hasLeft = true
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx: the final answer follows (RFC 9110 section 15.2).
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    const announced = Number(headers['content-length'] ?? 0)
    if (announced > this.#limit) controller.abort(this.#tooLarge())
    else if (announced > SMALL_BYTES) {
      this.#large = new LargeBody(announced)
      this.#needRoom(controller, announced)
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#length += chunk.length
    if (this.#length > this.#limit) controller.abort(this.#tooLarge())
    else if (this.#length > SMALL_BYTES) this.#addLarge(controller, chunk)
    else if (this.#large !== undefined) this.#large.add(chunk)
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    let body: Uint8Array
    try {
      body = this.#large === undefined ? joined(this.#chunks, this.#length) : finished(this.#large)
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#isOver = true
    this.#outcome.answered({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    const askAgain = this.#askAgain
    if (askAgain === undefined || this.#status !== 0 || !diedBeforeAnswer(error)) this.#fail(error)
    else {
      this.#askAgain = undefined
      try {
        askAgain(this)
      } catch (bug) {
        this.#fail(bug)
      }
    }
  }

  /** Takes room for an answer of `length` bytes. Pauses reading while there is none. */
  #needRoom(controller: Dispatcher.DispatchController, length: number): void {
    // Bytes that were under way when reading was paused still arrive.
    if (this.#account === undefined || length <= this.#enoughFor || this.#lacksRoom) return
    const { memory, holder, mayExceed } = this.#account
    const before = this.#enoughFor === SMALL_BYTES ? 0 : this.#enoughFor
    this.#enoughFor = length
    const bytes = (length - before) * ANSWER_FACTOR
    if (mayExceed) memory.holdAnyway(holder, bytes)
    else if (!memory.hold(holder, 'answer', bytes)) {
      controller.pause()
      this.#lacksRoom = true
      memory.holdSoon(holder, 'answer', bytes).then(
        () => {
          this.#lacksRoom = false
          if (!this.#isOver) controller.resume()
        },
        (refusal: UpstreamError) => this.giveUp(refusal),
      )
    }
  }

  #addLarge(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#large === undefined) {
      this.#large = new LargeBody(undefined)
      for (const before of this.#chunks) this.#large.add(before)
      this.#chunks = []
    }
    // Its length is not known.
    if (this.#length > this.#enoughFor) {
      this.#needRoom(controller, Math.min(Math.max(this.#length * 2, LEAST_STEP), this.#limit))
    }
    this.#large.add(chunk)
  }

  #tooLarge(): UpstreamError {
    return new UpstreamError('too-large', `the answer is larger than ${this.#limit} bytes`)
  }

  #fail(error: unknown): void {
    this.#isOver = true
    // References to the call must not keep the received bytes alive, which may be many.
    releaseLater(this.#large === undefined ? this.#chunks : [finished(this.#large)])
    this.#chunks = []
    this.#large = undefined
    this.#outcome.failed(error)
  }
}

const NO_BODY = new Uint8Array()

/** The least that an answer of unknown length takes room for, so that most need no second step: waiting for that, they hold what they have. */
const LEAST_STEP = 1024 * 1024

function finished(large: LargeBody): Uint8Array {
  if (large.last !== undefined) releaseLater([large.last])
  return large.finish()
}

/** Joins the chunks, and releases their memory. Most answers arrive in one chunk, whose memory holds nothing else. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length <= 1) return chunks[0] ?? NO_BODY
  const body = Buffer.concat(chunks, length)
  releaseLater(chunks)
  return body
}

/** Releases memory once the parser, which still uses the last chunk, has returned. */
function releaseLater(chunks: readonly Uint8Array[]): void {
  queueMicrotask(() => {
    for (const chunk of chunks) release(chunk)
  })
}
