import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { FlattenedSign, flattenedVerify } from 'jose'
import type { Dossier } from './dossier.ts'

/** The members of a flattened JWS (RFC 7515 section 7.2.2). Verifiers ignore any other members. */
interface Signature {
  readonly payload: string
  readonly protected: string
  readonly signature: string
}

const ALGORITHM = 'ES256'
const TYPE = 'legacy-gateway-dossier'
export const UNSIGNED = 'DOSSIER_KEY is not set, so nobody vouches for this dossier.'

/** Thrown for a dossier that differs from what its signer signed; the message says why. */
export class DossierRefused extends Error {
  override readonly name = 'DossierRefused'
}

/** Returns the text of `dossier.json`: a flattened JWS, and beside it the signed dossier for people to read. */
export async function signedDossier(dossier: Dossier, key: KeyObject): Promise<string> {
  const header = { alg: ALGORITHM, typ: TYPE, cty: 'application/json', kid: thumbprint(key) }
  const signed = await new FlattenedSign(Buffer.from(JSON.stringify(dossier))).setProtectedHeader(header).sign(key)
  return textOf(dossier, { ...signed, protected: signed.protected ?? '' })
}

export const unsignedDossier = (dossier: Dossier): string =>
  `${JSON.stringify({ unsigned: UNSIGNED, dossier }, null, 2)}\n`

const textOf = (dossier: unknown, { payload, protected: header, signature }: Signature): string =>
  `${JSON.stringify({ dossier, payload, protected: header, signature }, null, 2)}\n`

/**
 * Returns the dossier in a text that `signedDossier` returned.
 * @throws DossierRefused if another key signed it, or if a single byte was changed.
 */
export async function verifiedDossier(text: string, key: KeyObject): Promise<Dossier> {
  const { payload, protected: header, signature } = signatureIn(text)
  const signer = headerOf(header)?.kid
  if (signer !== undefined && signer !== thumbprint(key)) {
    throw new DossierRefused(`it was signed with another key: ${signer}, and not ${thumbprint(key)}`)
  }
  const options = { algorithms: [ALGORITHM] }
  const verified = await flattenedVerify({ payload, protected: header, signature }, key, options).catch((cause) => {
    throw new DossierRefused('it was changed after it was signed', { cause })
  })
  if (verified.protectedHeader?.typ !== TYPE) throw new DossierRefused('what was signed is not a dossier')
  const dossier = JSON.parse(Buffer.from(verified.payload).toString()) as Dossier
  // The readable part must be what was signed, byte for byte. The signature's base64 has spare bits, which must be zero.
  const isCanonical = Buffer.from(signature, 'base64url').toString('base64url') === signature
  if (!isCanonical || textOf(dossier, { payload, protected: header, signature }) !== text) {
    throw new DossierRefused('its readable part is not what was signed')
  }
  return dossier
}

function signatureIn(text: string): Signature {
  const json = parsed(text)
  const { payload, protected: header, signature, unsigned } = (json ?? {}) as Partial<Record<string, unknown>>
  if (unsigned !== undefined) throw new DossierRefused('it is not signed')
  if (typeof payload !== 'string' || typeof header !== 'string' || typeof signature !== 'string') {
    throw new DossierRefused('it is not a signed dossier, or it is incomplete')
  }
  return { payload, protected: header, signature }
}

/** Returns a protected header that names its key; undefined: it names none, or cannot be read. */
function headerOf(text: string): { readonly kid?: string } | undefined {
  const json = parsed(Buffer.from(text, 'base64url').toString())
  return typeof json === 'object' && json !== null && typeof (json as { kid?: unknown }).kid === 'string'
    ? json
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
