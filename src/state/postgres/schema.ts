import { escapeIdentifier } from 'pg'
import { StateError } from '../state-error.ts'
import type { Database, Transaction } from './database.ts'

/**
 * Returns the SQL that creates the function each replica calls once a second. The function records that the process is alive, and stores a
 * portion of its results unless that is null or already stored. It returns the portion that the database had before, the time (ms), and the
 * version of the decisions; null if the process is not known.
 *
 * It is a function because the server then keeps the plans of its statements, even behind a pooler in transaction mode. As one statement
 * that is planned each time, it would take 1.4 times the processor time of the database.
 *
 * With a portion, its commit waits neither for the disk nor for a standby. Without one, it may be part of a transaction that stores decisions, and
 * does not change how that commits. If a crash of the database loses a portion, the next heartbeat notices, and the process writes all its results again.
 */
const beatFunction = (schema: string): string => {
  const name = escapeIdentifier(schema)
  return `
    CREATE FUNCTION ${name}.beat(
      of_id text, of_incarnation text, portion_number bigint, said_build text, said_mapping text, said_rollout text,
      said_position jsonb, said_offset_ms double precision, portion_counts bytea)
    RETURNS text LANGUAGE plpgsql AS $beat$
    DECLARE
      had bigint;
      seen timestamptz;
      decided bigint;
      waits text;
    BEGIN
      IF portion_counts IS NOT NULL THEN
        -- An assignment: unlike PERFORM it runs no query.
        waits := set_config('synchronous_commit', 'off', true);
      END IF;
      UPDATE ${name}.replica SET
        seen_at = clock_timestamp(), left_at = NULL, before = stored, stored = portion_number, build = said_build,
        mapping = said_mapping, rollout = said_rollout, position = said_position, clock_offset_ms = said_offset_ms
      WHERE id = of_id AND incarnation = of_incarnation
      RETURNING before, seen_at, (SELECT version FROM ${name}.change) INTO had, seen, decided;
      IF had IS NULL THEN RETURN NULL; END IF;
      IF portion_counts IS NOT NULL AND had <> portion_number THEN
        INSERT INTO ${name}.portion VALUES (of_id, of_incarnation, portion_number, portion_counts) ON CONFLICT DO NOTHING;
      END IF;
      RETURN had || ' ' || round(date_part('epoch', seen) * 1000) || ' ' || decided;
    END $beat$`
}

/**
 * The tables, one step per version. A released step never changes: a database that has taken it does not take it again. A new
 * step must work with gateways of the previous version, because they run beside new ones for a while.
 */
const STEPS: readonly (string | ((schema: string) => string))[] = [
  `CREATE TABLE begun (one boolean PRIMARY KEY DEFAULT true CHECK (one), at timestamptz NOT NULL);

   -- A process of a gateway. stored: the last portion of its results that is stored; before: that of the heartbeat before.
   -- left_at: it stopped in good order.
   CREATE TABLE replica (
     id text NOT NULL, incarnation text NOT NULL, started_at timestamptz NOT NULL, seen_at timestamptz NOT NULL,
     left_at timestamptz, build text NOT NULL, mapping text NOT NULL, rollout text, position jsonb,
     clock_offset_ms double precision NOT NULL, before bigint NOT NULL, stored bigint NOT NULL,
     PRIMARY KEY (id, incarnation)) WITH (fillfactor = 50);

   -- Processes whose rows were added to those of all, and up to which portion.
   CREATE TABLE folded (
     id text NOT NULL, incarnation text NOT NULL, stored bigint NOT NULL, at timestamptz NOT NULL,
     PRIMARY KEY (id, incarnation));

   -- What a process has found since its rows in tally were written, once a second; JSON, deflated.
   CREATE TABLE portion (
     replica text NOT NULL, incarnation text NOT NULL, number bigint NOT NULL, counts bytea NOT NULL,
     PRIMARY KEY (replica, incarnation, number)) WITH (toast_tuple_target = 8160);
   ALTER TABLE portion ALTER counts SET STORAGE EXTERNAL;

   -- Results of a process, cumulative; of all that are gone where replica and incarnation are empty.
   -- until_ms: when the last exchange came. units, differing_units: sketches, as 48-bit numbers.
   CREATE TABLE tally (
     replica text NOT NULL, incarnation text NOT NULL, operation text NOT NULL, lineage text NOT NULL, day date NOT NULL,
     counts jsonb NOT NULL, units bytea, differing_units bytea, until_ms double precision,
     PRIMARY KEY (replica, incarnation, operation, lineage)) WITH (fillfactor = 50);
   -- For reading one lineage of all processes. Its columns never change, so that updates stay within a page (HOT).
   CREATE INDEX tally_of_all ON tally (operation, lineage);
   ALTER TABLE tally ALTER units SET STORAGE EXTERNAL, ALTER differing_units SET STORAGE EXTERNAL;

   -- Every decision. It is only added to.
   CREATE TABLE audit (
     id text PRIMARY KEY, event text NOT NULL, operation text NOT NULL, at timestamptz NOT NULL, "by" text NOT NULL,
     "from" text NOT NULL, "to" text NOT NULL, why text NOT NULL, lineage text NOT NULL, requests bigint NOT NULL);

   -- Who does what only one process may do. token grows with each holder: a holder whose lease is over writes nothing.
   CREATE TABLE lease (
     name text PRIMARY KEY, holder text NOT NULL, token bigint NOT NULL, until timestamptz NOT NULL) WITH (fillfactor = 50);

   -- Grows with each decision, so that others notice.
   CREATE TABLE change (one boolean PRIMARY KEY DEFAULT true CHECK (one), version bigint NOT NULL);
   INSERT INTO change VALUES (true, 0);

   -- When old results were last looked for, and for how long the clock has been steady.
   CREATE TABLE clock (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), seen_at timestamptz NOT NULL, agreed_ms double precision NOT NULL,
     leap_ms double precision NOT NULL)`,
  `-- What an entry of the audit was based on; JSON.
   CREATE TABLE audit_counts (id text PRIMARY KEY, counts text NOT NULL);
   CREATE INDEX audit_by_time ON audit (at, id);

   -- Where the plan of an operation stands; JSON. before: the stage before this one.
   CREATE TABLE position (
     operation text PRIMARY KEY, version integer NOT NULL, stage integer NOT NULL, before integer NOT NULL, doc text NOT NULL);

   -- What a process answered at a stage, cumulative; JSON. Of all that are gone where replica and incarnation are empty.
   CREATE TABLE answered (
     replica text NOT NULL, incarnation text NOT NULL, operation text NOT NULL, stage integer NOT NULL, counts text NOT NULL,
     seen_at timestamptz NOT NULL, PRIMARY KEY (replica, incarnation, operation, stage)) WITH (fillfactor = 50);

   -- Messages on their way.
   CREATE TABLE outbox (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, operation text NOT NULL, body text NOT NULL,
     attempts integer NOT NULL, created_at timestamptz NOT NULL, due_at timestamptz NOT NULL) WITH (fillfactor = 50);

   -- When something was done last.
   CREATE TABLE moment (name text PRIMARY KEY, at timestamptz NOT NULL)`,
  `-- A client's calls of an operation on a day (UTC), which is a number of days since 1970-01-01. agents: its user agents; doc: what
   -- its calls showed; JSON. Its names are compared by their bytes, which no new version of a library changes.
   CREATE TABLE usage (
     client text COLLATE "C" NOT NULL, day integer NOT NULL, operation text COLLATE "C" NOT NULL, calls bigint NOT NULL,
     client_errors bigint NOT NULL, server_errors bigint NOT NULL, by_v1 bigint NOT NULL, by_legacy bigint NOT NULL,
     first_at timestamptz NOT NULL, last_at timestamptz NOT NULL, agents text NOT NULL, doc text NOT NULL,
     PRIMARY KEY (client, day, operation)) WITH (fillfactor = 80);
   CREATE INDEX usage_by_day ON usage (day);

   -- How many clients of a day are told apart.
   CREATE TABLE usage_day (day integer PRIMARY KEY, clients integer NOT NULL) WITH (fillfactor = 50);

   -- When an operation was last called, to the minute.
   CREATE TABLE usage_last (operation text PRIMARY KEY, at timestamptz NOT NULL) WITH (fillfactor = 50);

   -- The last portion of a process that is stored. again: what it was answered; JSON.
   CREATE TABLE usage_writer (
     process text PRIMARY KEY, stored bigint NOT NULL, again text NOT NULL, seen_at timestamptz NOT NULL) WITH (fillfactor = 50)`,
  beatFunction,
  `-- Whose a service's own token is: 132 bits of its SHA-256, and the client id that logged in for it. number: grows with each row that is
   -- written, so that others read what is new. at: when it was issued, or last used, to the hour.
   CREATE TABLE login (
     hash text COLLATE "C" PRIMARY KEY, client text NOT NULL, number bigint NOT NULL, at timestamptz NOT NULL) WITH (fillfactor = 80);
   CREATE INDEX login_by_number ON login (number);

   -- The last number. Who writes logins locks it, so that numbers become visible in their order.
   CREATE TABLE login_count (one integer PRIMARY KEY CHECK (one = 1), number bigint NOT NULL) WITH (fillfactor = 50)`,
  `-- What a client's calls on a day (UTC) were to a brownout: refused by it, let through while it was under way, or made since it ended.
   -- Only the day on which it begins and the next have rows. brownout: a hash of when it begins and of its operations.
   CREATE TABLE usage_brownout (
     client text COLLATE "C" NOT NULL, day integer NOT NULL, brownout text COLLATE "C" NOT NULL, refused bigint NOT NULL,
     passed bigint NOT NULL, since bigint NOT NULL, PRIMARY KEY (client, day, brownout)) WITH (fillfactor = 80)`,
]

/**
 * Brings the schema up to date, or creates it, in one transaction that only one process does at a time.
 * @param canBeNewer whether a newer schema is allowed: for a gateway that runs while newer ones are started beside it.
 * @throws StateError that is not busy if the schema is newer than this gateway knows, or the database cannot hold every text.
 */
export async function migrate(database: Database, schema: string, canBeNewer: boolean): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`migrate ${schema}`])
    await checkEncoding(transaction, database.name)
    const version = await versionOf(transaction, schema)
    if (!canBeNewer) refuseNewer(version, database.name, schema)
    if (version >= STEPS.length) return
    const due = STEPS.slice(version).map((step) => (typeof step === 'string' ? step : step(schema)))
    await transaction.query(due.join(';\n'))
    await transaction.query('DELETE FROM version')
    await transaction.query('INSERT INTO version VALUES ($1)', [STEPS.length])
  })
}

/**
 * Checks the schema for a caller that only reads.
 * @throws StateError that is not busy if there are no tables, or newer ones than this gateway knows.
 */
export async function checkVersion(transaction: Transaction, name: string, schema: string): Promise<void> {
  const [table] = await transaction.query(VERSION_TABLE, [schema])
  if (table === undefined) throw new StateError(`${name}: no gateway has stored anything in schema ${schema}`, false)
  const [row] = await transaction.query<{ readonly steps: number }>('SELECT steps FROM version')
  refuseNewer(row?.steps ?? 0, name, schema)
}

function refuseNewer(version: number, name: string, schema: string): void {
  if (version <= STEPS.length) return
  throw new StateError(
    `${name}: schema ${schema} has version ${version}; this gateway reads up to version ${STEPS.length}`,
    false,
  )
}

const VERSION_TABLE = "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'version'"

/** In another encoding, a single name in an answer could keep all results from being stored. */
async function checkEncoding(transaction: Transaction, name: string): Promise<void> {
  const [row] = await transaction.query<{ readonly encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  )
  if (row?.encoding === 'UTF8') return
  throw new StateError(
    `${name}: its encoding is ${row?.encoding}; it must be UTF8: createdb --encoding=UTF8 --template=template0`,
    false,
  )
}

/** Returns how many steps the schema has taken. Creates the table that records this. */
async function versionOf(transaction: Transaction, schema: string): Promise<number> {
  // Checked first, because a user who may use the schema may lack the right to create one.
  const [there] = await transaction.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (there === undefined) await transaction.query(`CREATE SCHEMA ${escapeIdentifier(schema)}`)
  const [table] = await transaction.query(VERSION_TABLE, [schema])
  if (table === undefined) await transaction.query('CREATE TABLE version (steps integer NOT NULL)')
  const [row] = await transaction.query<{ readonly steps: number }>('SELECT steps FROM version')
  return row?.steps ?? 0
}
