import { createHash } from 'node:crypto'
import { release } from '../upstream/body-memory.ts'
import type { Disagreement } from './read-v1-pages.ts'

/** A whole list as the gateway answers it: one JSON array. */
export interface WholeList {
  readonly body: Uint8Array
  /** A strong entity tag (RFC 9110 section 8.8.3) of these bytes, quotes included. */
  readonly etag: string
  /** How v1's own count differs from its rows, if it does. */
  readonly disagreement?: Disagreement | undefined
}

/** Joins the pages of a list as they arrive. */
export interface PageJoiner {
  /**
   * Adds the rows of a page, which the joiner then owns: JSON, separated by commas, without brackets, possibly none.
   * Pages count from 1 and may come in any order, each once.
   */
  add(page: number, rows: Uint8Array): void
  /** Returns the list once all pages are added. Do not use the joiner afterwards. */
  finish(): WholeList
}

/**
 * Reserves this factor more than the first page suggests, because pages differ in length. Memory is only used as it
 * fills.
 */
const HEADROOM = 1.1
/** A whole list may have this much more memory than it fills. Giving back the rest copies the list. */
const MOST_UNUSED = 1.25
/** The most to reserve in advance, however long the first page is. Beyond it, the buffer grows as needed. */
const MOST_IN_ADVANCE = 64 * 1024 * 1024

const NO_ROWS = new Uint8Array()
const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

/**
 * Joins `pageCount` pages. Copies each page once, as soon as all pages before it are there, hashes it in place and
 * releases its memory.
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
    // One byte before the rows, and one for the closing bracket.
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
      if (body.length > length * MOST_UNUSED) body = new Uint8Array((body.buffer as ArrayBuffer).transfer(length))
      return { body: body.subarray(0, length), etag }
    },
  }
}
