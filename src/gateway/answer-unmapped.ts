import type { IncomingMessage } from 'node:http'
import type { Call } from './call.ts'
import type { Gateway } from './gateway.ts'
import { answerGuide } from './guides/answer-guide.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import type { Notes } from './notes.ts'
import { passThrough } from './pass-through.ts'

/**
 * Answers a call whose path no mapping knows. Serves the guide itself at the path of the guides, and passes any other call through
 * to the legacy service.
 * @throws like `answerGuide` and `passThrough`.
 */
export function answerUnmapped(
  gateway: Gateway,
  call: Call,
  notes: Notes,
  incoming: IncomingMessage,
): Promise<LegacyAnswer> {
  const { guides } = gateway
  return guides?.path === call.request.path
    ? answerGuide(gateway, guides, call, notes, incoming)
    : passThrough(gateway, call, notes, incoming)
}
