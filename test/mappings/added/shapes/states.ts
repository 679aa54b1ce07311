/** The states of an order: legacy and v1 values. */
export const states = { open: 'PENDING', paid: 'SETTLED', cancelled: 'CANCELLED' }
