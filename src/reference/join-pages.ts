import { createHash } from 'node:crypto'
import { release } from '../upstream/release.ts'
import type { Disagreement } from './read-pages.ts'

/** A whole list as it is answered: one JSON array. */
export interface WholeList {
  readonly body: Uint8Array
  /** A strong entity tag (RFC 9110 section 8.8.3) of these bytes, quotes included. */
  readonly etag: string
  /** How v1's own count differs from its rows, where it does. */
  readonly disagreement?: Disagreement | undefined
}

/** Puts the pages of a list together while they come. */
export interface PageJoiner {
  /**
   * Takes the rows of a page over, which are JSON with commas between them and no brackets; there may be none. Pages are
   * counted from 1 and may come in any order, each of them once.
   */
  add(page: number, rows: Uint8Array): void
  /** The list, when all pages have come. The joiner is not used afterwards. */
  finish(): WholeList
}

/** Pages differ in length: this much more than the first one would need is asked for. Memory is only taken as it is filled. */
const HEADROOM = 1.1
/** No page, however long, makes more room than this in advance; beyond it, room is made as it is needed. */
const MOST_IN_ADVANCE = 64 * 1024 * 1024

const NO_ROWS = new Uint8Array()
const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

/**
 * Joins `pageCount` pages. Of each there is one copy: it goes behind those before it as soon as they are there, is hashed
 * there, and is let go.
 */
export function pageJoiner(pageCount: number): PageJoiner {
  const hash = createHash('sha256')
  const waiting = new Map<number, Uint8Array>()
  let body: Uint8Array = new Uint8Array()
  let length = 0
  let next = 1

  const reserve = (bytes: number): void => {
    if (length + bytes <= body.length) return
    const room = length === 0 ? Math.min(bytes * pageCount * HEADROOM, MOST_IN_ADVANCE) : body.length * 2
    const larger = Buffer.allocUnsafeSlow(Math.ceil(Math.max(room, length + bytes)))
    larger.set(body.subarray(0, length))
    release(body)
    body = larger
  }

  const append = (rows: Uint8Array): void => {
    const start = length
    // A byte before the rows, and one for the bracket behind the last of them.
    reserve(rows.length + 2)
    body[length++] = start === 0 ? OPEN : COMMA
    body.set(rows, length)
    length += rows.length
    hash.update(body.subarray(start, length))
    release(rows)
  }

  return {
    add(page, rows) {
      waiting.set(page, rows)
      for (let turn = waiting.get(next); turn !== undefined; turn = waiting.get(next)) {
        if (turn.length > 0) append(turn)
        waiting.delete(next++)
      }
    },
    finish() {
      if (length === 0) append(NO_ROWS)
      body[length++] = CLOSE
      const etag = `"${hash.update(body.subarray(length - 1, length)).digest('base64url')}"`
      return { body: body.subarray(0, length), etag }
    },
  }
}
