import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** Thrown for a key that cannot be used; the message says why, and never holds any part of the key. */
export class DossierKeyError extends Error {
  override readonly name = 'DossierKeyError'
}

const MAKE = 'make one with: openssl ecparam -name prime256v1 -genkey -noout -out dossier.pem'

/**
 * Reads the private key that signs: a key on the curve P-256, in PEM.
 * @throws DossierKeyError
 */
export const signingKey = (pem: string): KeyObject => readKey(pem, createPrivateKey, `a private key in PEM; ${MAKE}`)

/**
 * Reads the key that verifies: a public key or a certificate in PEM. Of a private key it takes the public half.
 * @throws DossierKeyError
 */
export const verifyingKey = (pem: string): KeyObject => readKey(pem, createPublicKey, 'a public key in PEM')

function readKey(pem: string, read: (pem: string) => KeyObject, wanted: string): KeyObject {
  if (ENCRYPTED.test(pem)) throw new DossierKeyError('the key is encrypted: give one without a passphrase')
  const key = orUndefined(() => read(pem))
  if (key === undefined) throw new DossierKeyError(`it is not ${wanted}`)
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new DossierKeyError(`the key is not on the curve P-256, which ES256 needs; ${MAKE}`)
}

/** Matches an encrypted key in PEM, in the older form and in PKCS #8. */
const ENCRYPTED = /^Proc-Type: 4,ENCRYPTED|^-----BEGIN ENCRYPTED PRIVATE KEY-----/m

/** Hides OpenSSL's reasons: they do not help people, and some quote their input. */
function orUndefined(read: () => KeyObject): KeyObject | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Returns the hash of a key's JWK (RFC 7638), which is the same for its private and its public half. */
export function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
