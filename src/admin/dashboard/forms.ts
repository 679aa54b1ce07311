import type { Context } from 'hono'

/** Whitespace before JSON (RFC 8259 section 2), and the character that begins an object. */
const SPACE = new Set(Buffer.from(' \t\r\n'))
const BRACE = '{'.charCodeAt(0)

/** Whether a browser has sent a form, by its content type. */
export const isForm = (c: Context): boolean =>
  c.req.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true

/**
 * Reads a form as a browser sends it, and leaves the body for other handlers; undefined if the body is not a form. `curl -d` labels
 * JSON as a form too, but a real form encodes braces.
 */
export async function readForm(c: Context): Promise<Uint8Array | undefined> {
  if (!isForm(c)) return undefined
  const form = new Uint8Array(await c.req.raw.clone().arrayBuffer())
  return form.find((byte) => !SPACE.has(byte)) === BRACE ? undefined : form
}

/** Whether a browser asks for a page. At the same path, programs may get JSON. */
export const wantsPage = (c: Context): boolean => c.req.header('accept')?.includes('text/html') === true
