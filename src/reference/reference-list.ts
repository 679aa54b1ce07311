import { type Coding, encodeBody } from './encode-body.ts'
import type { WholeList } from './join-pages.ts'

/** A whole list, and the content codings made of it so far. */
export interface ReferenceList extends WholeList {
  /** Returns the list in a content coding, if it has been made. */
  made(coding: Coding): Uint8Array | undefined
  /** Returns the list in a content coding. Makes it once, however many callers wait for it. */
  make(coding: Coding): Promise<Uint8Array>
  /** The memory of the list and its content codings, in bytes. */
  bytes(): number
}

/**
 * Creates a reference list.
 * @param onGrown called after a content coding has been made, because the list then takes more memory.
 */
export function referenceList({ body, etag }: WholeList, onGrown: () => void): ReferenceList {
  const made = new Map<Coding, Uint8Array>()
  const making = new Map<Coding, Promise<Uint8Array>>()
  const encode = async (coding: Coding): Promise<Uint8Array> => {
    const coded = await encodeBody(coding, body)
    made.set(coding, coded)
    onGrown()
    return coded
  }
  return {
    body,
    etag,
    made: (coding) => made.get(coding),
    make(coding) {
      const begun = making.get(coding) ?? encode(coding)
      making.set(coding, begun)
      return begun
    },
    bytes: () => [...made.values()].reduce((sum, coded) => sum + coded.byteLength, body.byteLength),
  }
}
