import { Agent } from 'node:http'
import express, { type RequestHandler } from 'express'
import { createProxyMiddleware, fixRequestBody, responseInterceptor } from 'http-proxy-middleware'
import { importRequest, invoicePage, invoiceQuery, legacyRefusal, legacyShipment, packageRequest } from './by-hand.ts'
import { keptLists } from './kept-lists.ts'
import { TOKEN } from './work.ts'

// Run as a process of its own: `node express.ts UPSTREAM`. The port comes back over IPC.

process.env.NODE_ENV = 'production'

/** The same translation as usually written in Express: bodies are parsed, answers intercepted and mapped. */
function serve(target: string): void {
  const lists = keptLists(target, TOKEN)
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })

  /** Translates answers of v1 into legacy ones, for any kind of request. */
  const proxy = (legacy: (body: never) => unknown) =>
    createProxyMiddleware({
      ...{ target, agent, selfHandleResponse: true },
      on: {
        proxyReq: fixRequestBody,
        proxyRes: responseInterceptor(async (buffer, answer, _, response) => {
          const body = JSON.parse(buffer.toString()) as never
          const isRefused = answer.statusCode === 422
          response.statusCode = isRefused ? 400 : 200
          return JSON.stringify(await (isRefused ? legacyRefusal(body) : legacy(body)))
        }),
      },
    })

  /** A POST whose body is translated. */
  const asPost = (path: string, translate: (body: never) => unknown): RequestHandler => {
    return (request, _, next) => {
      request.url = path
      request.body = translate(request.body as never)
      next()
    }
  }

  /** A POST whose body becomes the query of a GET. */
  const asGet = (path: string, query: (body: never) => string): RequestHandler => {
    return (request, _, next) => {
      request.method = 'GET'
      request.url = `${path}?${query(request.body as never)}`
      request.body = undefined
      delete request.headers['content-length']
      delete request.headers['content-type']
      next()
    }
  }

  const app = express().disable('x-powered-by')
  app.use(express.json())
  app.post('/api/invoice/list', asGet('/api/v1/finance/invoices', invoiceQuery), proxy(invoicePage))
  app.post(
    '/api/consignment/package/advance',
    asPost('/api/v1/shipment/shipments/packages', packageRequest),
    proxy(async ({ data }: { data: never }) => legacyShipment(data, await lists.rateTimes())),
  )
  app.post(
    '/api/single/point/import',
    asPost('/api/v1/shipment/single-point-imports', importRequest),
    proxy(({ data }: { data: unknown }) => data),
  )
  app.get('/country/all', async (_, response) => {
    response.type('application/json').send(await lists.countries())
  })
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : undefined)
  })
}

serve(process.argv[2] ?? '')
