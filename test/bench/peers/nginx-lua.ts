import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Nginx, nginxVersion, runNginx } from './run-nginx.ts'

/** The modules that distributions package apart from nginx, in loading order. */
const MODULES = ['ndk_http_module.so', 'ngx_http_lua_module.so']

/** The same translation in nginx by `translate.lua`. Throws, with the reason, if a module is not installed. */
export async function startNginxLua(upstream: string): Promise<Nginx> {
  const version = await nginxVersion()
  if (version === undefined) throw new Error('nginx is not installed')
  const folder = /--modules-path=(\S+)/.exec(version)?.[1] ?? ''
  const modules = MODULES.map((name) => join(folder, name)).filter((file) => existsSync(file))
  return runNginx({
    main: modules.map((file) => `load_module ${file};`).join(' '),
    http: (port) => `
      lua_package_path "${import.meta.dirname}/?.lua;;";
      init_by_lua_block { require "translate" }
      subrequest_output_buffer_size 4m;
      upstream v1 { server ${new URL(upstream).host}; keepalive 128; keepalive_requests 1000000000; }
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location /v1/ {
          internal;
          proxy_pass http://v1/; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_buffer_size 64k; proxy_buffers 32 64k;
        }
        location = /api/invoice/list { content_by_lua_block { require("translate").invoices() } }
        location = /api/consignment/package/advance { content_by_lua_block { require("translate").package() } }
        location = /api/single/point/import { content_by_lua_block { require("translate").import() } }
        location = /country/all { content_by_lua_block { require("translate").countries() } }
      }`,
  })
}
