import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, listens } from '../processes.ts'

/** Where distributions install it, besides the folders of users' programs. */
const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`

export interface Nginx {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export interface NginxConfig {
  /** Directives of the main context. */
  readonly main?: string
  /** Directives of the http context, in which a server listens on `port`; it may name files of `files`. */
  readonly http: (port: number) => string
  readonly files?: ReadonlyMap<string, string | Uint8Array>
}

/** What `nginx -V` says; undefined when it is not installed. */
export async function nginxVersion(): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('nginx', ['-V'], { env: { PATH } })).stderr
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Runs nginx as one process in the foreground, in a folder of its own that is removed with it.
 * @throws with its output when it does not start.
 */
export async function runNginx({ main = '', http, files = new Map() }: NginxConfig): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const config = `
    daemon off; master_process off; pid ${folder}/pid;
    ${main}
    events { worker_connections 4096; }
    http {
      ${temporary.join(' ')}
      access_log off; default_type application/json; root ${folder};
      keepalive_requests 1000000000; keepalive_timeout 1h; client_max_body_size 0; client_body_buffer_size 2m;
      ${http(port)}
    }`
  await writeFile(join(folder, 'nginx.conf'), config)
  for (const [name, text] of files) await writeFile(join(folder, name), text)
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const gone = once(child, 'exit')
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`nginx does not start: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await gone
      await rm(folder, { recursive: true })
    },
  }
}
