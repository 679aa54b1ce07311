import { type Coding, encodeBody } from './encode-body.ts'
import type { WholeList } from './join-pages.ts'

/** A whole list, and its content codings as far as somebody wanted them. */
export interface ReferenceList extends WholeList {
  /** The list in a content coding, when that has been made. */
  made(coding: Coding): Uint8Array | undefined
  /** The list in a content coding, made once however many ask. */
  make(coding: Coding): Promise<Uint8Array>
  /** What it takes with all its forms. */
  bytes(): number
}

/** @param onGrown called when a content coding has been made, and the list takes more room. */
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
