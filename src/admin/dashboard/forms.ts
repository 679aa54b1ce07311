import type { Context } from 'hono'

/** Before a JSON text (RFC 8259 section 2), and what begins an object. */
const SPACE = new Set(Buffer.from(' \t\r\n'))
const BRACE = '{'.charCodeAt(0)

/** Whether a browser has sent a form, by its content type. */
export const isForm = (c: Context): boolean =>
  c.req.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true

/**
 * Reads a form as a browser sends it, and leaves the body for other handlers; undefined: it is none. `curl -d` labels JSON as a
 * form too, but in a real form a brace is encoded.
 */
export async function readForm(c: Context): Promise<Uint8Array | undefined> {
  if (!isForm(c)) return undefined
  const form = new Uint8Array(await c.req.raw.clone().arrayBuffer())
  return form.find((byte) => !SPACE.has(byte)) === BRACE ? undefined : form
}

/** Whether a browser asks for a page; where JSON is at the same path, programs ask for that. */
export const wantsPage = (c: Context): boolean => c.req.header('accept')?.includes('text/html') === true
