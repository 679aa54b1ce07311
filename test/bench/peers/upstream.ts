import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startPeer } from '../processes.ts'
import { nginxVersion, runNginx } from './run-nginx.ts'
import { files, routes } from './work.ts'

// Where there is no nginx it is run as a process of its own, too: `node upstream.ts`. The port comes back over IPC.

export interface Upstream {
  readonly url: string
  readonly kind: 'nginx' | 'node:http'
  stop(): Promise<void>
}

/** One service behind all peers, never the slowest of them: v1's answers at its paths, and legacy's at legacy's. */
export async function startUpstream(): Promise<Upstream> {
  if ((await nginxVersion()) === undefined) {
    const { said, stop } = await startPeer('peers/upstream.ts')
    return { url: `http://127.0.0.1:${said}`, kind: 'node:http', stop }
  }
  const texts = new Map([...files()].map(([name, json]) => [name, JSON.stringify(json)]))
  return { ...(await runNginx({ http: serverOf, files: texts })), kind: 'nginx' }
}

/**
 * A file is not answered to a POST, which is 405: the page of that error is the file. Head and body are sent together, as
 * services send what they have made: with `sendfile` each answer comes in two parts, and is read twice by whoever asked.
 */
function serverOf(port: number): string {
  const locations = routes.map(
    ({ path, status, file }) => `location = ${path} { error_page 405 =${status} /${file}; return 405; }`,
  )
  return `
    open_file_cache max=100; open_file_cache_valid 1h; sendfile off; output_buffers 1 2m;
    server { listen 127.0.0.1:${port} backlog=4096; location / { internal; } ${locations.join('\n')} }`
}

function serveFiles(): void {
  const bodies = new Map([...files()].map(([name, json]) => [name, Buffer.from(JSON.stringify(json))]))
  const byPath = new Map(routes.map((route) => [route.path, route]))
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const parameters = new URLSearchParams(query)
    const { file = '', status = 404 } = byPath.get(path) ?? {}
    const body = bodies.get(file.replace(/\$arg_(\w+)/g, (_, name: string) => parameters.get(name) ?? ''))
    const headers = { 'content-type': 'application/json', 'content-length': body?.length ?? 0 }
    request.resume().on('end', () => response.writeHead(body === undefined ? 404 : status, headers).end(body))
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

if (import.meta.main && process.send !== undefined) serveFiles()
