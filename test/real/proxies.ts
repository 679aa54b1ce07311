import { join } from 'node:path'
import type { KeyPair } from './certificates.ts'
import { freePort, isInstalled, makeFolder, type Program, startProgram } from './start-program.ts'

/** A reverse proxy of the system, and how to start it in front of a service. */
export interface Proxy {
  /** Its usual name, with the protocols that it offers. */
  readonly name: string
  readonly isInstalled: boolean
  /** Starts it in front of `service`. With a certificate it uses TLS, and offers HTTP/2 and HTTP/1.1. */
  start(service: string, options?: ProxyOptions): Promise<StartedProxy>
}

export interface ProxyOptions {
  readonly tls?: KeyPair
  /** How long it keeps an idle connection of a client, in s. */
  readonly keepAliveS?: number
  /** Further directives in its own language, beside the one for the service. */
  readonly more?: string
  /** Further directives of nginx's `server` block, and options of HAProxy's `bind`. */
  readonly server?: string
  readonly bind?: string
}

/** Node closes idle connections after 5 s. A proxy that keeps them longer would answer 502 now and then. */
const SERVICE_IDLE_S = 1

export interface StartedProxy extends Program {
  readonly url: string
}

const nginx: Proxy = {
  name: 'nginx',
  isInstalled: isInstalled('nginx'),
  async start(service, { tls, keepAliveS = 75, more = '', server = '' } = {}) {
    const [port, folder] = [await freePort(), makeFolder()]
    const secure = tls && `ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key};`
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
    const folderWith = makeFolder({
      'nginx.conf': `
        daemon off; master_process off; pid ${folder}/pid;
        events { worker_connections 1024; }
        http {
          ${temporary.join(' ')}
          access_log off; client_max_body_size 0; keepalive_timeout ${keepAliveS}s;
          upstream service { server ${new URL(service).host}; keepalive 64; keepalive_timeout ${SERVICE_IDLE_S}s; }
          server {
            listen 127.0.0.1:${port}${tls ? ' ssl http2' : ''};
            ${secure ?? ''} ${server}
            location / {
              proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
              ${more}
            }
          }
        }`,
    })
    const command = ['nginx', '-p', folder, '-c', join(folderWith, 'nginx.conf'), '-e', 'stderr']
    return started(await startProgram(command, port), port, tls)
  },
}

const haproxy: Proxy = {
  name: 'HAProxy',
  isInstalled: isInstalled('haproxy'),
  async start(service, { tls, keepAliveS = 60, more = '', bind = '' } = {}) {
    const port = await freePort()
    const folder = makeFolder({
      'haproxy.cfg': `
global
  maxconn 4000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive ${keepAliveS}s
frontend front
  bind 127.0.0.1:${port}${tls ? ` ssl crt ${tls.both} alpn h2,http/1.1 ${bind}` : ''}
  default_backend service
backend service
  ${more}
  server one ${new URL(service).host}
`,
    })
    return started(await startProgram(['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], port), port, tls)
  },
}

const caddy: Proxy = {
  name: 'Caddy',
  isInstalled: isInstalled('caddy'),
  async start(service, { tls, keepAliveS = 300, more = '' } = {}) {
    const port = await freePort()
    const folder = makeFolder({
      Caddyfile: `
{
  admin off
  auto_https off
  default_sni localhost
  servers {
    timeouts {
      idle ${keepAliveS}s
    }
  }
}
${tls ? 'https' : 'http'}://:${port} {
  bind 127.0.0.1
  ${tls ? `tls ${tls.certificate} ${tls.key}` : ''}
  reverse_proxy ${new URL(service).host}
  ${more}
}
`,
    })
    const command = ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    return started(await startProgram(command, port, home), port, tls)
  },
}

/** The folder of Debian's modules. */
const APACHE_MODULES = '/usr/lib/apache2/modules'

const apache: Proxy = {
  name: 'Apache',
  isInstalled: isInstalled('apache2'),
  async start(service, { tls, keepAliveS = 5, more = '' } = {}) {
    const port = await freePort()
    const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'ssl', 'http2', 'socache_shmcb']
    const secure = tls && `SSLEngine on\nSSLCertificateFile ${tls.certificate}\nSSLCertificateKeyFile ${tls.key}`
    const folder = makeFolder()
    const folderWith = makeFolder({
      'apache.conf': `
ServerRoot ${folder}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
Mutex pthread
User www-data
Group www-data
ServerName localhost
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
${modules.map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`).join('\n')}
KeepAliveTimeout ${keepAliveS}
MaxKeepAliveRequests 0
${tls ? 'Protocols h2 http/1.1' : ''}
${secure ?? ''}
ProxyPass / http://${new URL(service).host}/ nocanon ttl=${SERVICE_IDLE_S}
ProxyPreserveHost On
AllowEncodedSlashes NoDecode
${more}
`,
    })
    const command = ['apache2', '-D', 'FOREGROUND', '-f', join(folderWith, 'apache.conf')]
    return started(await startProgram(command, port), port, tls)
  },
}

/** The proxies in front of most services. */
export const proxies: readonly Proxy[] = [nginx, haproxy, caddy, apache]
export { apache, caddy, haproxy, nginx }

const started = (program: Program, port: number, tls: KeyPair | undefined): StartedProxy => ({
  ...program,
  url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
})
