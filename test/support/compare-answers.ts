import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Answer } from './both-sides.ts'

interface Violation {
  readonly propertyPath: string
  readonly message: unknown
}

/**
 * Compares the gateway's answer with legacy's: the status and every member of the body. An error must have a text,
 * whose wording does not matter. `losses` are members of the root that v1 cannot give back: they are null.
 */
export function expectSame(answers: { legacy: Answer; gateway: Answer }, losses: readonly string[] = []): void {
  const { legacy, gateway } = answers
  // The texts, and an `expect` of them, only if they differ: for the list of cities both take longer than the calls.
  if (gateway.status !== legacy.status) expect(gateway.status, JSON.stringify(gateway.body)).toBe(legacy.status)
  if (legacy.status >= 400) {
    expect(withoutWording(gateway.body)).toEqual(withoutWording(legacy.body))
    for (const name of ['www-authenticate', 'allow']) expect(gateway.headers[name]).toBe(legacy.headers[name])
    return
  }
  for (const loss of losses) expect(legacy.body).toHaveProperty(loss)
  const expected = withNulls(legacy.body, losses)
  if (!isDeepStrictEqual(gateway.body, expected)) expect(gateway.body).toEqual(expected)
}

/** An error with its texts, if any, replaced by `text`. Violations are sorted by path. */
function withoutWording(body: unknown): unknown {
  const { message, violations, ...rest } = body as { message: unknown; violations?: readonly Violation[] }
  return {
    ...rest,
    message: wording(message),
    ...(violations !== undefined && {
      violations: violations
        .map(({ propertyPath, message: text }) => ({ propertyPath, message: wording(text) }))
        .sort((a, b) => (a.propertyPath < b.propertyPath ? -1 : 1)),
    }),
  }
}

const wording = (text: unknown): unknown => (typeof text === 'string' && text.trim() !== '' ? 'text' : text)

function withNulls(body: unknown, losses: readonly string[]): unknown {
  if (losses.length === 0) return body
  return { ...(body as object), ...Object.fromEntries(losses.map((loss) => [loss, null])) }
}
