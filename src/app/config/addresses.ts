type Address = readonly [host: string, port: number]

/** Whether two listeners cannot both have these addresses. Port 0 means any free port. */
export function isOneAddress([host, port]: Address, [otherHost, otherPort]: Address): boolean {
  if (port !== otherPort || port === 0) return false
  return host === otherHost || [host, otherHost].some((each) => each === '0.0.0.0' || each === '::')
}

/** Whether a service's URL leads back to the gateway, as far as its address shows. */
export function isOwnAddress(
  { protocol, hostname, port }: URL,
  { HOST, PORT }: { readonly HOST: string; readonly PORT: number },
): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const listensHere = host === HOST || (isLoopback(host) && (isLoopback(HOST) || HOST === '0.0.0.0' || HOST === '::'))
  return protocol === 'http:' && listensHere && Number(port === '' ? 80 : port) === PORT
}

/** Whether a host is this machine, as far as its name shows. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
