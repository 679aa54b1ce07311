import { z } from 'zod'
import { type InvoiceRow, invoiceAddressTypes, invoiceStatuses, selectInvoices } from '../store/invoices.ts'
import { splitList } from '../store/split-list.ts'
import { date, flag, pagination, sortOrder, text, wholeNumber } from '../validation/query-parameters.ts'
import type { Rule } from '../validation/validation-messages.ts'
import { authorize } from './authorize.ts'
import type { Endpoint } from './endpoint.ts'
import { list } from './envelope.ts'
import { readQuery } from './read-request.ts'

const noValues: Rule = { rule: 'empty' }

/** docs/contract.md 4.8, row by row. *Assumed*: a search of only commas counts as empty. */
const query = z.object({
  ...pagination({ perPage: 25 }),
  sortBy: z.enum(['id', 'number', 'dateAt', 'paymentExpirationAt', 'priceTry', 'priceUsd']).default('id'),
  sortOrder: sortOrder(),
  search: text(1, 255)
    .refine((search) => !search.includes(',') || splitList(search).length > 0, { params: noValues })
    .optional(),
  id: wholeNumber(1).optional(),
  number: text(1, 16).optional(),
  statusId: z
    .enum(['1', '2', '3'])
    .transform(Number)
    .meta({ type: 'integer', enum: [1, 2, 3] })
    .optional(),
  isPaid: flag().optional(),
  dateFrom: date().optional(),
  dateTo: date().optional(),
  paymentExpirationFrom: date().optional(),
  paymentExpirationTo: date().optional(),
})

/** docs/contract.md 5.1. *Assumed*: missing values, such as a person's company, are empty strings. */
const item = z.object({
  id: z.int(),
  organizationId: z.int(),
  number: z.string().max(16),
  dateAt: z.iso.datetime(),
  paymentExpirationAt: z.iso.datetime(),
  priceTry: z.number(),
  priceUsd: z.number(),
  firstName: z.string(),
  lastName: z.string(),
  citizenshipNumber: z.string(),
  company: z.string(),
  taxNumber: z.string(),
  isPaid: z.boolean(),
  status: z.object({ id: z.int(), slug: z.enum(Object.values(invoiceStatuses)) }),
  addressType: z.object({ id: z.int(), slug: z.enum(Object.values(invoiceAddressTypes)) }),
  currencyCode: z.string(),
})

/** docs/contract.md 4.8. */
export const listInvoices: Endpoint = {
  method: 'GET',
  path: '/api/v1/finance/invoices',
  says: "Lists the organization's invoices.",
  needsToken: true,
  query,
  item,
  answer(call) {
    const organizationId = authorize(call)
    const { page, perPage, sortBy, sortOrder, ...filter } = readQuery(call, query)
    const invoices = selectInvoices(call.service.db, organizationId, filter, { page, perPage, sortBy, sortOrder })
    return list('Faturalar listelendi.', invoices, { page, perPage }, presentInvoice)
  },
}

function presentInvoice(row: InvoiceRow): z.infer<typeof item> {
  return {
    id: row.id,
    organizationId: row.organizationId,
    number: row.number,
    dateAt: row.dateAt,
    paymentExpirationAt: row.paymentExpirationAt,
    priceTry: row.priceTryHundredths / 100,
    priceUsd: row.priceUsdHundredths / 100,
    firstName: row.firstName,
    lastName: row.lastName,
    citizenshipNumber: row.citizenshipNumber,
    company: row.company,
    taxNumber: row.taxNumber,
    isPaid: row.isPaid === 1,
    status: { id: row.statusId, slug: invoiceStatuses[row.statusId] },
    addressType: { id: row.addressTypeId, slug: invoiceAddressTypes[row.addressTypeId] },
    currencyCode: row.currencyCode,
  }
}
