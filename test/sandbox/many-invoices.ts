import type { NewRow } from '../../src/sandbox/store/sandbox-tables.ts'

/** An invoice of an organization, as it is stored. The store gives it an id above all others. */
export function invoiceOf(organizationId: number, number: string): NewRow<'invoices'> {
  return {
    organizationId,
    number,
    dateAt: '2026-01-02T03:04:05.000Z',
    paymentExpirationAt: '2026-02-02T03:04:05.000Z',
    priceTryHundredths: 123_456,
    priceUsdHundredths: 3210,
    firstName: 'Çağrı',
    lastName: 'Işık',
    citizenshipNumber: '00000000000',
    company: '',
    taxNumber: '',
    isPaid: 0,
    statusId: 1,
    addressTypeId: 1,
    currencyCode: 'TRY',
  }
}
