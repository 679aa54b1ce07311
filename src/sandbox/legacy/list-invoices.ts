import { z } from 'zod'
import { type InvoiceRow, invoiceAddressTypes, invoiceStatuses, selectInvoices } from '../store/invoices.ts'
import { splitList } from '../store/split-list.ts'
import { flag, sortOrder, text, wholeNumber } from '../validation/query-parameters.ts'
import type { Rule } from '../validation/validation-messages.ts'
import { authorize } from './authorize.ts'
import { calendarDay } from './calendar-day.ts'
import type { LegacyOperation } from './operation.ts'
import { page, pagination } from './pagination.ts'
import { asRange, readFilters } from './read-request.ts'
import { legacyTimestamp } from './timestamp.ts'

/** A former status of invoices. The filter still accepts it, but no invoice has it. */
const formerStatusId = 4

const noValues: Rule = { rule: 'empty' }

function range() {
  return z
    .preprocess(asRange, z.object({ startAt: calendarDay().optional(), endAt: calendarDay().optional() }))
    .optional()
}

/** The filters of docs/contract.md 6.8. *Assumed*: the others, with the names, rules and defaults of v1. */
const filters = z.object({
  ...pagination(),
  sortBy: z.enum(['id', 'number', 'dateAt', 'paymentExpirationAt', 'priceTry', 'priceUsd']).default('id'),
  sortOrder: sortOrder(),
  search: text(1, 255)
    .refine((search) => !search.includes(',') || splitList(search).length > 0, { params: noValues })
    .optional(),
  id: wholeNumber(1).optional(),
  number: text(1, 16).optional(),
  statusId: z
    .enum(['1', '2', '3', String(formerStatusId)])
    .transform(Number)
    .optional(),
  isPayment: flag().optional(),
  dateAtBetween: range(),
  paymentExpirationAtBetween: range(),
})

/** docs/contract.md 6.8. */
export const listInvoices: LegacyOperation = {
  method: 'POST',
  path: '/api/invoice/list',
  async answer(call) {
    const organizationId = authorize(call)
    const sent = await readFilters(call, filters)
    const { page: number, perPage, sortBy, sortOrder, search, id, statusId, isPayment } = sent
    const filter = {
      search,
      id,
      number: sent.number,
      statusId,
      isPaid: isPayment,
      dateFrom: sent.dateAtBetween?.startAt,
      dateTo: sent.dateAtBetween?.endAt,
      paymentExpirationFrom: sent.paymentExpirationAtBetween?.startAt,
      paymentExpirationTo: sent.paymentExpirationAtBetween?.endAt,
    }
    const request = { page: number, perPage, sortBy, sortOrder }
    return page(selectInvoices(call.service.db, organizationId, filter, request), request, presentInvoice)
  },
}

/** All members of docs/contract.md 7.1: no organizationId, and `currency` instead of currencyCode. */
function presentInvoice(row: InvoiceRow) {
  return {
    id: row.id,
    number: row.number,
    dateAt: legacyTimestamp(row.dateAt),
    paymentExpirationAt: legacyTimestamp(row.paymentExpirationAt),
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
    currency: { code: row.currencyCode },
  }
}
