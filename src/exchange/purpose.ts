/** What a call of the gateway is for that is no client's: `X-Gateway-Purpose` says it to the service. */
export type Purpose = 'compare' | 'confirm' | 'probe' | 'replay' | 'copy' | 'refresh' | 'health'

/** The header that says what a call is for. A client's call has none. */
export const PURPOSE_HEADER = 'x-gateway-purpose'
