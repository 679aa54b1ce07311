import { argv } from 'node:process'
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

// Run with the address of v1. Prints a line for each call: its status, and what its answer has.
const [, , baseUrl = ''] = argv
const client = createClient<paths>({ baseUrl })

const login = await client.POST('/api/v1/auth/application', {
  body: { clientId: 'demo-client', secretKey: 'demo-secret' },
})
console.log(`login ${login.response.status} ${login.data?.message}`)
client.use({
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${login.data?.data.token}`)
  },
})

const invoices = await client.GET('/api/v1/finance/invoices', {
  params: { query: { perPage: 2, sortBy: 'dateAt', sortOrder: 'asc', isPaid: true, statusId: 3 } },
})
const rows: readonly components['schemas']['InvoiceListItem'][] = invoices.data?.items ?? []
console.log(`invoices ${invoices.response.status} ${rows.length} of ${typeof invoices.data?.meta.total}`)
console.log(`first ${typeof rows[0]?.organizationId} ${rows[0]?.status?.slug}`)

const refused = await client.GET('/api/v1/finance/invoices', { params: { query: { perPage: 201 } } })
console.log(`refused ${refused.response.status} ${refused.error?.code} ${refused.error?.errors?.[0]?.path}`)

const created = await client.POST('/api/v1/shipment/single-point-imports', {
  body: { name: 'Generated', carrierShipmentId: 'GCCN-9' },
})
const id = created.data?.data.id ?? 0
console.log(`created ${created.response.status} ${created.data?.data.carrierShipmentId}`)

const done = await client.POST('/api/v1/shipment/single-point-imports/{id}/complete', { params: { path: { id } } })
console.log(`completed ${done.response.status} ${done.data?.success}`)
