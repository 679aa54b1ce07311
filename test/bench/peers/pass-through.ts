import { type HttpBindings, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'undici'

// Run as a process of its own: `node pass-through.ts UPSTREAM`. The port comes back over IPC.

/** The gateway's own stack without the gateway: passes calls to the upstream, and their answers back byte for byte. */
function passThrough(upstream: string): void {
  const pool = new Pool(upstream, { connections: 128 })
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all('*', async (context) => {
    const { method = 'GET', url = '/', headers } = context.env.incoming
    const answer = await pool.request({
      method: method as 'GET' | 'POST',
      path: url,
      headers: { 'content-type': headers['content-type'], authorization: headers.authorization },
      body: method === 'GET' ? null : new Uint8Array(await context.req.arrayBuffer()),
    })
    return new Response(await answer.body.bytes(), {
      status: answer.statusCode,
      headers: { 'content-type': 'application/json' },
    })
  })
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port))
}

passThrough(process.argv[2] ?? '')
