import type { Dispatcher } from 'undici'
import { describe, expect, test } from 'vitest'
import { release } from '../../../src/data-plane/upstream/body-memory.ts'
import { AnswerReceiver, type ReceivedAnswer } from '../../../src/data-plane/upstream/receive-answer.ts'
import { UpstreamError } from '../../../src/data-plane/upstream/upstream-error.ts'

const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController

/** A receiver that got a status and these chunks, and the outcomes that it reported. */
function receiving(chunks: readonly Uint8Array[], askAgain?: (receiver: AnswerReceiver) => void) {
  const outcomes: (ReceivedAnswer | unknown)[] = []
  const outcome = {
    answered: (answer: ReceivedAnswer) => outcomes.push(answer),
    failed: (error: unknown) => outcomes.push(error),
  }
  const receiver = new AnswerReceiver(outcome, { limit: 1_000_000, askAgain })
  receiver.onRequestStart(controller)
  if (chunks.length > 0) receiver.onResponseStart(controller, 200, {})
  for (const chunk of chunks) receiver.onResponseData(controller, chunk)
  return { receiver, outcomes }
}

describe('an exception while an answer is received', () => {
  test('ends the call once when the memory of the answer is gone', () => {
    const [lost, rest] = [new Uint8Array(100), new Uint8Array(100)]
    const { receiver, outcomes } = receiving([lost, rest])
    lost.buffer.transfer(0)
    receiver.onResponseEnd()
    receiver.onResponseError(controller, new Error('too late'))
    receiver.giveUp(new UpstreamError('timeout', 'too late'))
    expect(outcomes).toEqual([expect.any(TypeError)])
  })

  test('ends the call when it cannot be sent again', () => {
    const { receiver, outcomes } = receiving([], () => {
      throw new TypeError('no')
    })
    receiver.onResponseError(controller, Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' }))
    expect(outcomes).toEqual([new TypeError('no')])
  })
})

describe('released memory', () => {
  test('is freed once, however often it is released', () => {
    const bytes = new Uint8Array(100)
    release(bytes)
    release(bytes)
    expect(bytes.length).toBe(0)
  })

  test('is kept when most of its buffer belongs to another owner', () => {
    const shared = new ArrayBuffer(100)
    const [mine, theirs] = [new Uint8Array(shared, 0, 40), new Uint8Array(shared, 40)]
    release(mine)
    expect([mine.length, theirs.length]).toEqual([40, 60])
  })
})
