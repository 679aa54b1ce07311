import { deflateSync, inflateSync } from 'node:zlib'
import { query, type SqlValue, type Work } from './sql.ts'
import { StateError } from './state-error.ts'

/*
 * What is counted, however it was split and however often it was sent, is added once to documents that all processes share. A process
 * numbers its portions. The transaction that adds a portion stores its number; a number that was stored before adds nothing. So a
 * portion whose fate is unknown is sent again.
 */

/** A kind of documents. */
export interface Kind<Doc> {
  readonly name: string
  /** Adds two documents. The sum of several is the same in any order. */
  add(one: Doc, other: Doc): Doc
  /** Returns a document that was stored. Throws if it is none of this kind. */
  parse(json: unknown): Doc
  /** The most documents of a part; those written last stay. Unset: there is no bound. */
  readonly most?: number
}

/** A document to be added to the one that is stored under the same key, if any. */
export interface Delta<Doc> {
  readonly key: string
  /** What it is a part of, such as an operation or a client. */
  readonly part: string
  readonly doc: Doc
}

/** A stored document. */
export interface Stored<Doc> extends Delta<Doc> {
  /** Grows with each transaction that writes documents of this kind. */
  readonly number: number
}

/** A document that was added to. */
interface Written<Doc> extends Stored<Doc> {
  /** The number of the document that it was added to; undefined: there was none. */
  readonly before: number | undefined
}

const TAKE = `
  INSERT INTO ledger_writer (process, kind, stored, answer, seen_at) VALUES ($1, $2, $3, 'null', $4)
  ON CONFLICT (process, kind) DO UPDATE SET stored = excluded.stored, answer = excluded.answer, seen_at = excluded.seen_at
  WHERE ledger_writer.stored < excluded.stored RETURNING process`

/** A numbered portion of a process. */
export interface Numbered {
  readonly process: string
  readonly kind: string
  /** Grows with each portion of this process and kind. */
  readonly number: number
}

/**
 * Adds a portion, unless it was added before. Returns what `add` returned then; undefined if a later portion was added meanwhile.
 * @param add returns plain data.
 */
export function* once<Answer>(portion: Numbered, now: Date, add: () => Work<Answer>): Work<Answer | undefined> {
  const { process, kind, number } = portion
  const taken = yield* query(TAKE, process, kind, number, now.toISOString())
  if (taken.length > 0) {
    const answer = yield* add()
    if (answer !== undefined) {
      const json = JSON.stringify(answer)
      yield* query('UPDATE ledger_writer SET answer = $3 WHERE process = $1 AND kind = $2', process, kind, json)
    }
    return answer
  }
  const [row] = yield* query<{ readonly answer: string }>(
    'SELECT answer FROM ledger_writer WHERE process = $1 AND kind = $2 AND stored = $3',
    ...[process, kind, number],
  )
  return row === undefined ? undefined : (JSON.parse(row.answer) ?? undefined)
}

/** The most documents in one statement. */
const AT_ONCE = 50

/** Takes the next number of a kind. No other process takes one, or writes documents of the kind, before the transaction ends. */
const NEXT = `
  INSERT INTO ledger_head (kind, number) VALUES ($1, 1)
  ON CONFLICT (kind) DO UPDATE SET number = ledger_head.number + 1 RETURNING number`

/**
 * Adds documents to those that are stored. Each key must occur once.
 * @param known returns a document that this process has read or written, so that it need not be read again.
 * @returns what is stored under these keys now.
 */
export function* addDocuments<Doc>(
  kind: Kind<Doc>,
  deltas: readonly Delta<Doc>[],
  now: Date,
  known: (key: string) => Stored<Doc> | undefined = () => undefined,
): Work<readonly Written<Doc>[]> {
  if (deltas.length === 0) return []
  const [head] = yield* query<{ readonly number: unknown }>(NEXT, kind.name)
  const number = Number(head?.number)
  const written: Written<Doc>[] = []
  const begun = new Set<string>()
  for (let from = 0; from < deltas.length; from += AT_ONCE) {
    const some = deltas.slice(from, from + AT_ONCE)
    const there = yield* storedOf(kind, some, known)
    const sums = some.map(({ key, part, doc }) => {
      const stored = there.get(key)
      if (stored === undefined) begun.add(part)
      const sum = stored === undefined ? doc : kind.add(stored.doc, doc)
      return { key, part, number, doc: sum, before: stored?.number }
    })
    yield* query(writeOf(sums.length), ...sums.flatMap((sum) => valuesOf(kind, sum, now)))
    written.push(...sums)
  }
  if (kind.most !== undefined && begun.size > 0) yield* query(beyondOf(begun.size, kind.most), kind.name, ...begun)
  return written
}

function* storedOf<Doc>(
  kind: Kind<Doc>,
  deltas: readonly Delta<Doc>[],
  known: (key: string) => Stored<Doc> | undefined,
): Work<ReadonlyMap<string, Stored<Doc>>> {
  const keys = deltas.map(({ key }) => key)
  const places = keys.map((_, at) => `$${at + 2}`).join(', ')
  const heads = yield* query<{ readonly key: string; readonly number: unknown }>(
    `SELECT key, number FROM ledger WHERE kind = $1 AND key IN (${places})`,
    ...[kind.name, ...keys],
  )
  const isKnown = ({ key, number }: (typeof heads)[number]): boolean => known(key)?.number === Number(number)
  const there = new Map<string, Stored<Doc>>()
  for (const { key } of heads.filter(isKnown)) there.set(key, known(key) as Stored<Doc>)
  const missing = heads.filter((head) => !isKnown(head)).map(({ key }) => key)
  for (const stored of yield* readDocuments(kind, missing)) there.set(stored.key, stored)
  return there
}

/** Returns the documents under some keys, as far as there are any. */
function* readDocuments<Doc>(kind: Kind<Doc>, keys: readonly string[]): Work<readonly Stored<Doc>[]> {
  const all: Stored<Doc>[] = []
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const some = keys.slice(from, from + AT_ONCE)
    const places = some.map((_, at) => `$${at + 2}`).join(', ')
    const rows = yield* query<LedgerRow>(`${SELECT} AND key IN (${places})`, kind.name, ...some)
    all.push(...rows.map((row) => read(kind, row)))
  }
  return all
}

const COLUMNS = ['kind', 'key', 'part', 'number', 'at', 'doc']

const writeOf = (rows: number): string => {
  const row = (at: number) => `(${COLUMNS.map((_, column) => `$${at * COLUMNS.length + column + 1}`).join(', ')})`
  return `
    INSERT INTO ledger (${COLUMNS.join(', ')}) VALUES ${Array.from({ length: rows }, (_, at) => row(at)).join(', ')}
    ON CONFLICT (kind, key) DO UPDATE SET
      part = excluded.part, number = excluded.number, at = excluded.at, doc = excluded.doc`
}

const valuesOf = <Doc>(kind: Kind<Doc>, { key, part, number, doc }: Stored<Doc>, now: Date): readonly SqlValue[] => [
  ...[kind.name, key, part, number, now.toISOString()],
  packed(JSON.stringify(doc)),
]

/** Longer documents are deflated. For shorter ones, that takes longer than it saves. */
const LONG = 1_000
/** The first byte of what zlib has deflated (RFC 1950). No JSON begins with it. */
const DEFLATED = 0x78

const packed = (json: string): Uint8Array => (json.length > LONG ? deflateSync(json, { level: 1 }) : Buffer.from(json))

const unpacked = (doc: Uint8Array): string =>
  (doc[0] === DEFLATED ? inflateSync(doc) : Buffer.from(doc.buffer, doc.byteOffset, doc.byteLength)).toString()

/** Deletes what is beyond the bound on the documents of a part. */
const beyondOf = (parts: number, most: number): string => `
  DELETE FROM ledger WHERE kind = $1 AND key IN (
    SELECT key FROM (
      SELECT key, row_number() OVER (PARTITION BY part ORDER BY number DESC, key) AS nth
      FROM ledger WHERE kind = $1 AND part IN (${Array.from({ length: parts }, (_, at) => `$${at + 2}`).join(', ')})) AS ordered
    WHERE nth > ${most})`

interface LedgerRow {
  readonly [column: string]: unknown
  readonly key: string
  readonly part: string
  readonly number: unknown
  readonly doc: Uint8Array
}

const SELECT = 'SELECT key, part, number, doc FROM ledger WHERE kind = $1'

/** Returns the numbers of all documents of a kind, by key. */
function* numbersOf({ name }: Kind<unknown>): Work<ReadonlyMap<string, number>> {
  const rows = yield* query<{ readonly key: string; readonly number: unknown }>(
    'SELECT key, number FROM ledger WHERE kind = $1 ORDER BY key',
    name,
  )
  return new Map(rows.map(({ key, number }) => [key, Number(number)]))
}

/** Returns the documents that were written after a number, in the order of their numbers. @param most how many at most. */
export function* documentsAfter<Doc>(kind: Kind<Doc>, after: number, most?: number): Work<readonly Stored<Doc>[]> {
  const limit = most === undefined ? '' : `LIMIT ${most}`
  const rows = yield* query<LedgerRow>(`${SELECT} AND number > $2 ORDER BY number, key ${limit}`, kind.name, after)
  return rows.map((row) => read(kind, row))
}

/** Returns the documents of some parts. */
export function* documentsOf<Doc>(kind: Kind<Doc>, parts: readonly string[]): Work<readonly Stored<Doc>[]> {
  if (parts.length === 0) return []
  const places = parts.map((_, at) => `$${at + 2}`).join(', ')
  const rows = yield* query<LedgerRow>(`${SELECT} AND part IN (${places})`, kind.name, ...parts)
  return rows.map((row) => read(kind, row))
}

/** @throws StateError that names the row, and says what to do. */
function read<Doc>(kind: Kind<Doc>, { key, part, number, doc }: LedgerRow): Stored<Doc> {
  try {
    return { key, part, number: Number(number), doc: kind.parse(JSON.parse(unpacked(doc))) }
  } catch (error) {
    const literal = `'${key.replaceAll("'", "''")}'`
    throw new StateError(
      `a document of the kind ${kind.name} cannot be read (${error instanceof Error ? error.message : String(error)}); ` +
        `restore it from a backup, or delete it: DELETE FROM ledger WHERE kind = '${kind.name}' AND key = ${literal}`,
      false,
      { cause: error },
    )
  }
}

/** Documents that have changed. */
export interface Changes {
  readonly keys: readonly string[]
  /** Whether these are all documents that there are. */
  readonly isAll: boolean
}

/** A copy of all documents of a kind, for somebody who adds to them and wants to know what others have added. */
export class LedgerCopy<Doc> {
  readonly #kind: Kind<Doc>
  /** `isTold`: whether `changes` has returned it as it is, or it has become so by what was added here since. */
  readonly #all = new Map<string, Stored<Doc> & { readonly isTold: boolean }>()
  /** Whether it has all documents, as of some moment. */
  #isWhole = false

  constructor(kind: Kind<Doc>) {
    this.#kind = kind
  }

  get(key: string): Doc | undefined {
    return this.#all.get(key)?.doc
  }

  /** Adds documents. Returns what to call once the transaction is committed. */
  *add(deltas: readonly Delta<Doc>[], now: Date): Work<() => void> {
    const written = yield* addDocuments(this.#kind, deltas, now, (key) => this.#all.get(key))
    return () => {
      for (const { before, ...stored } of written) {
        const there = this.#all.get(stored.key)
        const isTold = this.#isWhole && before === there?.number && there?.isTold !== false
        this.#all.set(stored.key, { ...stored, isTold })
      }
    }
  }

  /**
   * Reads what others have added. Returns what to call once the transaction has ended: that brings the copy up to date, and returns which
   * documents others have added to or deleted since the last call.
   */
  *changes(): Work<() => Changes> {
    const numbers = yield* numbersOf(this.#kind)
    const isOld = ([key, number]: readonly [string, number]): boolean => this.#all.get(key)?.number !== number
    const read = yield* readDocuments(
      this.#kind,
      [...numbers].filter(isOld).map(([key]) => key),
    )
    return () => {
      const gone = [...this.#all.keys()].filter((key) => !numbers.has(key))
      for (const key of gone) this.#all.delete(key)
      for (const stored of read) this.#all.set(stored.key, { ...stored, isTold: false })
      const news = [...this.#all.values()].filter(({ isTold }) => !isTold)
      for (const one of news) this.#all.set(one.key, { ...one, isTold: true })
      const isAll = !this.#isWhole
      this.#isWhole = true
      return { keys: [...gone, ...news.map(({ key }) => key)], isAll }
    }
  }

  /** Forgets everything: after a failure, the database may have been restored from a backup. */
  clear(): void {
    this.#all.clear()
    this.#isWhole = false
  }
}
