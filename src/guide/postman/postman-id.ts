import { createHash } from 'node:crypto'

/** The namespace of all ids: any UUID, as long as it stays the same. */
const NAMESPACE = Buffer.from('5d0c7c1e8f3b4a609d2b7e41c6a9f058', 'hex')

/**
 * Returns a UUID that depends only on the name (RFC 9562 section 5.5, version 5). Two exports have the same ids, so Postman
 * replaces what it imported before.
 */
export function postmanId(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
