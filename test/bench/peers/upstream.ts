import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startPeer } from '../processes.ts'
import { nginxVersion, runNginx } from './run-nginx.ts'
import { files, routes } from './work.ts'

// Without nginx it is run as a process of its own: `node upstream.ts`. The port comes back over IPC.

export interface Upstream {
  readonly url: string
  readonly kind: 'nginx' | 'node:http'
  stop(): Promise<void>
}

/**
 * One service behind all peers, always faster than they are. It gives v1's answers at v1's paths, and legacy's at
 * legacy's.
 */
export async function startUpstream(): Promise<Upstream> {
  if ((await nginxVersion()) === undefined) {
    const { said, stop } = await startPeer('peers/upstream.ts')
    return { url: `http://127.0.0.1:${said}`, kind: 'node:http', stop }
  }
  const texts = new Map([...files()].map(([name, json]) => [name, JSON.stringify(json)]))
  return { ...(await runNginx({ http: serverOf, files: texts })), kind: 'nginx' }
}

/**
 * nginx answers 405 to a POST of a file, so the file is the page of that error. Head and body are sent together, as
 * services usually do: with `sendfile` each answer arrives in two parts, and its reader reads twice.
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
