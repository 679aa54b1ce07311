import { deflateSync, inflateSync } from 'node:zlib'
import { isoOf, listed, query, type SqlValue, table, type Work } from './sql.ts'
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
export interface Stored<Doc> extends Delta<Doc>, Head {}

/** Tells a document from others under the same key. */
interface Head {
  /** Grows with each transaction that writes documents of this kind. */
  readonly number: number
  /** When it was written; ISO 8601. If the state was restored from a backup, two documents may have the same number. */
  readonly at: string
}

const isSame = (one: Head | undefined, other: Head): boolean => one?.number === other.number && one.at === other.at

/** A document that was added to. */
interface Written<Doc> extends Stored<Doc> {
  /** The document that it was added to; undefined: there was none. */
  readonly before: Stored<Doc> | undefined
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
      return { key, part, number, at: now.toISOString(), doc: sum, before: stored }
    })
    yield* query(writeOf(sums.length), ...sums.flatMap((sum) => valuesOf(kind, sum)))
    written.push(...sums)
  }
  if (kind.most !== undefined && begun.size > 0) yield* query(beyondOf([...begun], kind.most), kind.name, ...begun)
  return written
}

function* storedOf<Doc>(
  kind: Kind<Doc>,
  deltas: readonly Delta<Doc>[],
  known: (key: string) => Stored<Doc> | undefined,
): Work<ReadonlyMap<string, Stored<Doc>>> {
  const keys = deltas.map(({ key }) => key)
  const heads = yield* query<HeadRow>(`${HEADS} AND key IN ${listed(keys, 2)}`, kind.name, ...keys)
  const there = new Map<string, Stored<Doc>>()
  const missing: string[] = []
  for (const row of heads) {
    const stored = known(row.key)
    if (stored !== undefined && isSame(stored, headOf(row))) there.set(row.key, stored)
    else missing.push(row.key)
  }
  for (const stored of yield* readDocuments(kind, missing)) there.set(stored.key, stored)
  return there
}

const COLUMNS = ['kind', 'key', 'part', 'number', 'at', 'doc']

const writeOf = (rows: number): string => `
  INSERT INTO ledger (${COLUMNS.join(', ')}) VALUES ${table(rows, COLUMNS)}
  ON CONFLICT (kind, key) DO UPDATE SET
    part = excluded.part, number = excluded.number, at = excluded.at, doc = excluded.doc`

const valuesOf = <Doc>(kind: Kind<Doc>, { key, part, number, at, doc }: Stored<Doc>): readonly SqlValue[] => [
  ...[kind.name, key, part, number, at],
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
const beyondOf = (parts: readonly string[], most: number): string => `
  DELETE FROM ledger WHERE kind = $1 AND key IN (
    SELECT key FROM (
      SELECT key, row_number() OVER (PARTITION BY part ORDER BY number DESC, key) AS nth
      FROM ledger WHERE kind = $1 AND part IN ${listed(parts, 2)}) AS ordered
    WHERE nth > ${most})`

interface HeadRow {
  readonly [column: string]: unknown
  readonly key: string
  readonly number: unknown
  readonly at: unknown
}
interface LedgerRow extends HeadRow {
  readonly part: string
  readonly doc: Uint8Array
}

const HEADS = 'SELECT key, number, at FROM ledger WHERE kind = $1'
const SELECT = 'SELECT key, part, number, at, doc FROM ledger WHERE kind = $1'

const headOf = ({ number, at }: HeadRow): Head => ({ number: Number(number), at: isoOf(at) })

/** The last number of a kind. */
const NEWEST = 'SELECT number FROM ledger_head WHERE kind = $1'

/** Returns documents of a kind. @param condition in SQL; the kind is `$1`. */
function* select<Doc>(
  kind: Kind<Doc>,
  condition: string,
  ...values: readonly SqlValue[]
): Work<readonly Stored<Doc>[]> {
  const rows = yield* query<LedgerRow>(`${SELECT} AND ${condition}`, kind.name, ...values)
  return rows.map((row) => read(kind, row))
}

/** Returns the documents that were written after a number, in the order of their numbers. */
export const documentsAfter = <Doc>(kind: Kind<Doc>, after: number): Work<readonly Stored<Doc>[]> =>
  select(kind, 'number > $2 ORDER BY number, key', after)

/** Returns the documents of some parts. @param parts one at least. */
export const documentsOf = <Doc>(kind: Kind<Doc>, parts: readonly string[]): Work<readonly Stored<Doc>[]> =>
  select(kind, `part IN ${listed(parts, 2)}`, ...parts)

/** Returns the documents under some keys, as far as there are any. */
function* readDocuments<Doc>(kind: Kind<Doc>, keys: readonly string[]): Work<readonly Stored<Doc>[]> {
  const all: Stored<Doc>[] = []
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const some = keys.slice(from, from + AT_ONCE)
    all.push(...(yield* select(kind, `key IN ${listed(some, 2)}`, ...some)))
  }
  return all
}

/** @throws StateError that names the row, and says what to do. */
function read<Doc>(kind: Kind<Doc>, row: LedgerRow): Stored<Doc> {
  const { key, part, doc } = row
  try {
    return { key, part, ...headOf(row), doc: kind.parse(JSON.parse(unpacked(doc))) }
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
export interface Changes<Doc> {
  /** `doc` is undefined if it was deleted. */
  readonly documents: readonly { readonly key: string; readonly doc: Doc | undefined }[]
  /** Whether the state was replaced, or restored from a backup, so that documents have lost what was added to them since. */
  readonly isRestored: boolean
}

/** A copy of all documents of a kind, for somebody who adds to them and wants to know what others have added. */
export class LedgerCopy<Doc> {
  readonly #kind: Kind<Doc>
  /** `isTold`: whether `changes` has returned it as it is, or it has become so by what was added here since. */
  readonly #all = new Map<string, Stored<Doc> & { readonly isTold: boolean }>()
  /** The highest number that was read or written. */
  #newest = 0

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
        const isTold = before === there && there?.isTold !== false
        this.#all.set(stored.key, { ...stored, isTold })
        this.#newest = Math.max(this.#newest, stored.number)
      }
    }
  }

  /**
   * Reads what others have added. Returns what to call once the transaction has ended: that brings the copy up to date, and returns which
   * documents others have added to or deleted since the last call.
   */
  *changes(): Work<() => Changes<Doc>> {
    const rows = yield* query<HeadRow>(`${HEADS} ORDER BY key`, this.#kind.name)
    const [head] = yield* query<{ readonly number: unknown }>(NEWEST, this.#kind.name)
    const newest = Number(head?.number ?? 0)
    const isBack = (row: HeadRow): boolean => headOf(row).number <= (this.#all.get(row.key)?.number ?? 0)
    const changed = rows.filter((row) => !isSame(this.#all.get(row.key), headOf(row)))
    const isRestored = newest < this.#newest || changed.some(isBack)
    const documents = yield* readDocuments(
      this.#kind,
      changed.map(({ key }) => key),
    )
    return () => {
      this.#newest = newest
      const there = new Set(rows.map(({ key }) => key))
      const gone = [...this.#all.keys()].filter((key) => !there.has(key))
      for (const key of gone) this.#all.delete(key)
      for (const stored of documents) this.#all.set(stored.key, { ...stored, isTold: false })
      const news = [...this.#all.values()].filter(({ isTold }) => !isTold)
      for (const stored of news) this.#all.set(stored.key, { ...stored, isTold: true })
      return { documents: [...gone.map((key) => ({ key, doc: undefined })), ...news], isRestored }
    }
  }
}
