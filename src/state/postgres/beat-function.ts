import { escapeIdentifier } from 'pg'

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
export const beatFunction = (schema: string): string => {
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
