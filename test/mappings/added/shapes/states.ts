/** The states of an order, legacy's with v1's. */
export const states = { open: 'PENDING', paid: 'SETTLED', cancelled: 'CANCELLED' }
