/** The words of an engine that differ from those of the other when tables are created. */
export interface Dialect {
  /** A text that is compared by its bytes, which no new version of a library changes. */
  readonly name: string
  readonly time: string
  readonly big: string
  readonly bytes: string
  /** A number that grows with each row. */
  readonly serial: string
  /** What ends the definition of a table, and of one whose rows change often. */
  readonly end: string
  readonly busy: string
}

export const SQLITE: Dialect = {
  ...{ name: 'TEXT', time: 'TEXT', big: 'INTEGER', bytes: 'BLOB', serial: 'INTEGER PRIMARY KEY AUTOINCREMENT' },
  ...{ end: 'STRICT', busy: 'STRICT' },
}

export const POSTGRESQL: Dialect = {
  ...{ name: 'text COLLATE "C"', time: 'timestamptz', big: 'bigint', bytes: 'bytea' },
  ...{ serial: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY', end: '', busy: 'WITH (fillfactor = 50)' },
}

/** The version of the tables. Increase it with each change of a table, or of the form of a document: older gateways then refuse them. */
export const TABLES_VERSION = 7

/** Returns the statements that create what is missing, in the order in which it is needed. */
export const createTables = ({ name, time, big, bytes, serial, end, busy }: Dialect): string => `
  -- When the results begin.
  CREATE TABLE IF NOT EXISTS begun (at ${time} NOT NULL);

  -- Whatever is counted: documents by kind and key. part: what a document belongs to, such as a client. number: grows with each
  -- transaction that writes the kind. doc: JSON, deflated if it is long (RFC 1950).
  CREATE TABLE IF NOT EXISTS ledger (
    kind ${name} NOT NULL, key ${name} NOT NULL, part ${name} NOT NULL, number ${big} NOT NULL, at ${time} NOT NULL,
    doc ${bytes} NOT NULL, PRIMARY KEY (kind, key)) ${busy};
  CREATE INDEX IF NOT EXISTS ledger_by_number ON ledger (kind, number);
  CREATE INDEX IF NOT EXISTS ledger_by_part ON ledger (kind, part);
  -- The last number of each kind. Who writes the kind locks it.
  CREATE TABLE IF NOT EXISTS ledger_head (kind ${name} PRIMARY KEY, number ${big} NOT NULL) ${busy};
  -- The last portion of each kind that a process has stored. answer: what it was told; JSON.
  CREATE TABLE IF NOT EXISTS ledger_writer (
    process ${name} NOT NULL, kind ${name} NOT NULL, stored ${big} NOT NULL, answer text NOT NULL, seen_at ${time} NOT NULL,
    PRIMARY KEY (process, kind)) ${busy};

  -- A client's calls of an operation on a day (UTC), which is a number of days since 1970-01-01. agents: its user agents; doc: what
  -- its calls showed; JSON.
  CREATE TABLE IF NOT EXISTS usage (
    client ${name} NOT NULL, day integer NOT NULL, operation ${name} NOT NULL, calls ${big} NOT NULL, client_errors ${big} NOT NULL,
    server_errors ${big} NOT NULL, by_v1 ${big} NOT NULL, by_legacy ${big} NOT NULL, first_at ${time} NOT NULL, last_at ${time} NOT NULL,
    agents text NOT NULL, doc text NOT NULL, PRIMARY KEY (client, day, operation)) ${end};
  CREATE INDEX IF NOT EXISTS usage_by_day ON usage (day);
  -- How many clients of a day are told apart.
  CREATE TABLE IF NOT EXISTS usage_day (day integer PRIMARY KEY, clients integer NOT NULL) ${busy};
  -- When an operation was last called, to the minute.
  CREATE TABLE IF NOT EXISTS usage_last (operation text PRIMARY KEY, at ${time} NOT NULL) ${busy};

  -- Every decision: who decided what, when and why. Rows are only added. audit_counts: what it was based on; JSON.
  CREATE TABLE IF NOT EXISTS audit (
    id text PRIMARY KEY, event text NOT NULL, operation text NOT NULL, at ${time} NOT NULL, "by" text NOT NULL,
    "from" text NOT NULL, "to" text NOT NULL, why text NOT NULL, lineage text NOT NULL, requests ${big} NOT NULL) ${end};
  CREATE INDEX IF NOT EXISTS audit_by_time ON audit (at, id);
  CREATE TABLE IF NOT EXISTS audit_counts (id text PRIMARY KEY, counts text NOT NULL) ${end};

  -- Where the plan of an operation stands; JSON. before: the stage before this one.
  CREATE TABLE IF NOT EXISTS position (
    operation text PRIMARY KEY, version integer NOT NULL, stage integer NOT NULL, before integer NOT NULL, doc text NOT NULL) ${end};
  -- Messages on their way.
  CREATE TABLE IF NOT EXISTS outbox (
    number ${serial}, id text NOT NULL UNIQUE, operation text NOT NULL, body text NOT NULL, attempts integer NOT NULL,
    created_at ${time} NOT NULL, due_at ${time} NOT NULL) ${busy};
  -- When something was done last.
  CREATE TABLE IF NOT EXISTS moment (name text PRIMARY KEY, at ${time} NOT NULL) ${end};
  -- Who does what only one process may do. token grows with each holder: a holder whose lease is over writes nothing.
  CREATE TABLE IF NOT EXISTS lease (
    name text PRIMARY KEY, holder text NOT NULL, token ${big} NOT NULL, until ${time} NOT NULL) ${busy};
  -- Grows with each decision, so that others notice.
  CREATE TABLE IF NOT EXISTS change (one integer PRIMARY KEY CHECK (one = 1), version ${big} NOT NULL) ${busy}`

/** Tables of before the ledger, which are dropped once their content is imported. */
export const DROP_TABLES = [
  'counts',
  'writer',
  'clock',
  'tally',
  'portion',
  'folded',
  'answered',
  'usage_writer',
  'usage_brownout',
  'login',
  'login_count',
]
  .map((table) => `DROP TABLE IF EXISTS ${table}`)
  .join('; ')
