import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls'
import type { PostgresTls } from './postgres-settings.ts'

/** Returns the TLS options of a connection. Create them once: reading the system's authorities takes a while. */
export function tlsOptions({ mode, ca, cert, key }: PostgresTls): ConnectionOptions {
  // As in libpq, `require` with an authority means `verify-ca`.
  const verifies = mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && ca !== undefined)
  const authorities = ca ?? (verifies ? [...getCACertificates('default'), ...getCACertificates('system')] : undefined)
  return {
    secureContext: createSecureContext({ ca: authorities, cert, key, minVersion: 'TLSv1.2' }),
    rejectUnauthorized: verifies,
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  }
}
