import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { PAGE_STYLE } from '../../common/page-alone.ts'

const CSS = 'text/css; charset=utf-8'
const JS = 'text/javascript; charset=utf-8'

const own = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))
const { resolve } = createRequire(import.meta.url)
const uplot = (name: string): Buffer => readFileSync(resolve(`uplot/dist/${name}`))

/** Serves the files that pages load; they are read once. */
export function serveAssets(): Hono {
  const files = [
    ['style.css', CSS, Buffer.from(PAGE_STYLE)],
    ['plots.js', JS, own('plots.js')],
    ['uplot.css', CSS, uplot('uPlot.min.css')],
    ['uplot.js', JS, uplot('uPlot.iife.min.js')],
  ] as const
  const app = new Hono()
  app.use('/assets/*', etag())
  for (const [name, type, bytes] of files) {
    const headers = { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }
    app.get(`/assets/${name}`, (c) => c.body(new Uint8Array(bytes), 200, headers))
  }
  return app
}
