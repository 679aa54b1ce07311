import type { RawAnswer } from '../../http/raw-answer.ts'
import type { Unreadable } from '../../http/unreadable.ts'
import { newRequestId } from '../request-id.ts'
import { type Messages, say } from './messages.ts'

const MESSAGES: Readonly<Record<Unreadable['status'], string>> = {
  400: 'not-http',
  408: 'not-in-time',
  413: 'status-413',
  431: 'head-too-large',
}

/** By Node's code, where it says what is wrong. */
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'invalid-target',
  HPE_INVALID_HEADER_TOKEN: 'invalid-header',
}

/**
 * Returns what answers a request that cannot be read, or whose Host is invalid, before any operation is looked up: a message, with the
 * headers of every answer. Nothing has been read that would reveal the client's language.
 */
export function unreadableRefuser(
  headers: Readonly<Record<string, string>>,
  messages: Messages,
): (sent: Pick<Unreadable, 'status' | 'code'>) => RawAnswer {
  return ({ status, code }) => {
    const message = say(messages, 'tr', MESSAGES_BY_CODE[code] ?? MESSAGES[status])
    return {
      headers: { ...headers, 'content-type': 'application/json', 'x-request-id': newRequestId() },
      // Clients look for violations in a 400, even if there are none.
      body: JSON.stringify(status === 400 ? { message, violations: [] } : { message }),
    }
  }
}
