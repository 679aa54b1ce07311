import { BODY_FACTOR } from '../gateway/receive-body.ts'
import { ANSWER_FACTOR } from '../upstream/answer-room.ts'
import type { MemoryBudget } from '../upstream/memory-budget.ts'
import { MAX_ANSWER_BYTES } from '../upstream/upstream.ts'

/** Returns a warning for each kind of body that other limits allow but the memory budget cannot hold. */
export function tooSmallMemory({ limit, forLarge }: MemoryBudget, maxBodyBytes: number): readonly string[] {
  const inMb = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`
  const tooSmall = `MEMORY_MB is ${Math.floor(limit / 1024 ** 2)}, too small for`
  const [body, answer] = [Math.floor(forLarge / BODY_FACTOR), Math.floor(forLarge / ANSWER_FACTOR)]
  return [
    ...(body < maxBodyBytes
      ? [`${tooSmall} a request body of more than ${inMb(body)}: MAX_BODY_BYTES allows ${inMb(maxBodyBytes)}`]
      : []),
    ...(answer < MAX_ANSWER_BYTES
      ? [
          `${tooSmall} an answer of more than ${inMb(answer)}: larger ones, up to ${inMb(MAX_ANSWER_BYTES)}, are refused`,
        ]
      : []),
  ]
}
