import { countryId, type OpenSandbox } from './open-sandbox.ts'
import { type Reply, ask as send } from './sandbox-client.ts'
import { documentBody, documents, imports, packageBody, packages, recipientAddress } from './shipment-requests.ts'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  needsToken: boolean
  body?: object
}

const { countryId: _, ...withoutCountry } = recipientAddress()
let number = 0

/** A valid request to every endpoint except the one that completes an import, in the order of docs/contract.md 4. */
export const goodRequests = (): Request[] => [
  ask('/api/v1/auth/application', { clientId: 'demo-client', secretKey: 'demo-secret' }, false),
  ask('/api/v1/shipment/price-calculations', {
    countryId: countryId('DE'),
    packages: [{ length: 1, size: 1, height: 1, weight: 1 }],
  }),
  ask('/api/v1/shipment/price-calculations/validate-destination', { countryId: countryId('DE') }),
  ask(packages, packageBody()),
  ask(documents, documentBody()),
  ask(imports, { name: `Good ${++number}`, carrierShipmentId: 'GCCN' }),
  ...lists.map(({ path, needsToken }): Request => ({ method: 'GET', path, needsToken })),
]

/** Every paginated list. */
const lists = [
  { path: '/api/v1/finance/invoices', needsToken: true },
  { path: '/api/v1/public/shared/countries', needsToken: false },
  { path: '/api/v1/public/shared/cities', needsToken: true },
  { path: '/api/v1/public/shared/counties', needsToken: true },
  { path: '/api/v1/shared/currencies', needsToken: true },
  { path: '/api/v1/shared/units-of-measure', needsToken: true },
  { path: '/api/v1/shared/export-codes', needsToken: true },
] as const

/** An invalid request to every endpoint, and the path that the 422 names. */
export const badRequests = (): (Request & { names: string })[] => [
  { ...ask('/api/v1/auth/application', { clientId: 'demo-client' }, false), names: 'secretKey' },
  { ...ask('/api/v1/shipment/price-calculations', { countryId: 1, packages: null }), names: 'packages' },
  { ...ask('/api/v1/shipment/price-calculations/validate-destination', { countryId: 0 }), names: 'countryId' },
  { ...ask(packages, packageBody({ packages: [] })), names: 'packages' },
  { ...ask(documents, documentBody({ recipientAddress: withoutCountry })), names: 'recipientAddress.countryId' },
  { ...ask(imports, { carrierShipmentId: 'GCCN' }), names: 'name' },
  { ...ask(`${imports}/0/complete`, {}), names: 'id' },
  ...lists.map(({ path, needsToken }) => ({
    ...{ method: 'GET' as const, path: `${path}?sortBy=colour`, needsToken, names: 'sortBy' },
  })),
]

/** Sends a request as the demo organization if it needs a token, or with other headers if given. */
export function sendTo<Body>(
  sandbox: Pick<OpenSandbox, 'v1Url' | 'tokens'>,
  { method, path, needsToken, body }: Request,
  language: string,
  headers?: Record<string, string>,
): Promise<Reply<Body>> {
  return send<Body>(sandbox, path, {
    ...{ method, language },
    ...(body !== undefined && { body }),
    ...(headers !== undefined ? { headers } : needsToken && { token: sandbox.tokens.demo }),
  })
}

function ask(path: string, body: object, needsToken = true): Request {
  return { method: 'POST', path, needsToken, body }
}
