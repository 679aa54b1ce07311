/** A decision about the cut-over, or something that happened to it: an entry of the audit. */
export interface CutoverStep {
  /** ISO 8601. */
  readonly at: string
  readonly event: string
  /** An operation's id, or `*`. */
  readonly operation: string
  /** `auto`, or who decided. */
  readonly by: string
  readonly from: string
  readonly to: string
  readonly why: string
}

/** Reads the audit, newest first. Runs on SQLite and on PostgreSQL. */
export const READ_STEPS =
  'SELECT at, event, operation, "by", "from", "to", why FROM audit ORDER BY audit.at DESC, audit.id DESC'

/** Reads a row of `READ_STEPS`. @param at a Date, or ISO 8601. */
export const stepOf = ({ at, ...row }: Readonly<Record<string, unknown>>): CutoverStep => {
  const text = (name: string): string => String(row[name])
  const time = at instanceof Date ? at.toISOString() : String(at)
  return {
    ...{ at: time, event: text('event'), operation: text('operation') },
    ...{ by: text('by'), from: text('from'), to: text('to'), why: text('why') },
  }
}

/** Reads where plans stand. Runs on SQLite and on PostgreSQL. */
export const READ_PERCENTS = 'SELECT operation, doc FROM position'

/** Reads rows of `READ_PERCENTS`: the share of clients that v1 answers by each plan. */
export const percentsIn = (rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ operation, doc }) => [String(operation), Number(JSON.parse(String(doc)).percent)]))
