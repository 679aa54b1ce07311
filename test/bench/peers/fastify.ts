import replyFrom from '@fastify/reply-from'
import fastify, { type FastifyReply } from 'fastify'
import {
  type ImportRequest,
  type InvoiceFilters,
  importRequest,
  invoicePage,
  invoiceQuery,
  legacyRefusal,
  legacyShipment,
  type PackageRequest,
  packageRequest,
} from './by-hand.ts'
import { keptLists } from './kept-lists.ts'
import { TOKEN } from './work.ts'

// Run as a process of its own: `node fastify.ts UPSTREAM`. The port comes back over IPC.

/** The same translation as usually written in Fastify. */
async function serve(base: string): Promise<void> {
  const lists = keptLists(base, TOKEN)
  const app = fastify()
  await app.register(replyFrom, { base, undici: { connections: 128 }, disableRequestLogging: true })

  /** Answers with v1's answer, translated into a legacy one. */
  const translated = (legacy: (body: never) => unknown) => ({
    rewriteHeaders: () => ({ 'content-type': 'application/json' }),
    async onResponse(_: unknown, reply: unknown, answer: unknown) {
      const { stream, statusCode } = answer as { stream: AsyncIterable<Buffer>; statusCode: number }
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString()) as never
      const isRefused = statusCode === 422
      const json = JSON.stringify(await (isRefused ? legacyRefusal(body) : legacy(body)))
      ;(reply as FastifyReply).code(isRefused ? 400 : 200).send(json)
    },
  })

  app.post<{ Body: InvoiceFilters }>('/api/invoice/list', (request, reply) =>
    reply.from('/api/v1/finance/invoices', {
      ...{ method: 'GET', body: null, queryString: () => invoiceQuery(request.body) },
      ...translated(invoicePage),
    }),
  )
  app.post<{ Body: PackageRequest }>('/api/consignment/package/advance', (request, reply) =>
    reply.from('/api/v1/shipment/shipments/packages', {
      body: packageRequest(request.body),
      ...translated(async ({ data }: { data: never }) => legacyShipment(data, await lists.rateTimes())),
    }),
  )
  app.post<{ Body: ImportRequest }>('/api/single/point/import', (request, reply) =>
    reply.from('/api/v1/shipment/single-point-imports', {
      body: importRequest(request.body),
      ...translated(({ data }: { data: unknown }) => data),
    }),
  )
  app.get('/country/all', async (_, reply) => reply.type('application/json').send(await lists.countries()))
  process.send?.(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

await serve(process.argv[2] ?? '')
