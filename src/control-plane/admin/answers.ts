import type { Handler } from 'hono'
import { StateError } from '../store/state-error.ts'

/** Answers requests with any other method than this. */
export const only =
  (method: 'GET' | 'POST'): Handler =>
  (c) =>
    c.json({ message: `Only ${method} is allowed here.` }, 405, { allow: method === 'GET' ? 'GET, HEAD' : method })

/** Waits for a read from the state; undefined if it cannot be read now. */
export async function unlessAway<Read>(read: Promise<Read>): Promise<Read | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof StateError) return undefined
    throw error
  }
}
