import { type EvidenceDb, evidenceDb, KEPT_EVIDENCE } from '../compare/tally/evidence-db.ts'
import { importEvidence } from '../compare/tally/import-evidence.ts'
import type { ToKeep } from '../compare/tally/state-store.ts'
import { type CutoverDb, cutoverDb } from '../cutover/store/cutover-db.ts'
import { importAnswers } from '../cutover/store/import-answers.ts'
import type { Engine, Import } from '../state/engine.ts'
import type { FleetNews } from '../state/postgres/fleet-watch.ts'
import type { ReplicaStatus } from '../state/replicas.ts'
import { KEPT, type Kept, retention } from '../state/retention.ts'
import { KEPT_LOGINS, type LoginStore, loginDb } from '../usage/logins/login-store.ts'
import { KEPT_MARKS } from '../usage/store/brownout-marks.ts'
import { importLogins, importMarks } from '../usage/store/import-usage.ts'
import { KEPT_USAGE, type UsageBounds, type UsageDb, usageDb } from '../usage/store/usage-db.ts'

/** What is copied from the tables of earlier versions. */
export const IMPORTS: readonly Import[] = [importEvidence, importAnswers, importMarks, importLogins]

/** What works on one database, by what it stores. */
export interface StoreFunctions {
  readonly evidence: Omit<EvidenceDb, 'keep' | 'distrust'> & {
    /** @param status what this replica says about itself. */
    keep(what: ToKeep, status: ReplicaStatus): Promise<void>
  }
  readonly cutover: CutoverDb
  readonly usage: UsageDb
  readonly logins: LoginStore
  /** Called when it is unknown whether the database still holds what it did. */
  distrust(): void
}

/** News that a store sends unasked. */
export type StoreNews = FleetNews | { readonly warning: string }

export interface StoreFunctionsOptions {
  readonly engine: Engine
  /** Identifies this process among all that store; new at each start. */
  readonly process: string
  /** Called once a second. */
  readonly beat: (status: ReplicaStatus) => void | Promise<void>
  readonly tell: (news: StoreNews) => void
  readonly bounds?: UsageBounds
  /** What this engine alone has, and deletes when it is old. */
  readonly kept?: readonly Kept[]
  /** Returns ms of a clock that only goes forward. */
  readonly monotonic?: () => number
}

/** Everything that is stored, on one engine. */
export function storeFunctions({
  engine,
  process,
  beat,
  tell,
  bounds,
  kept = [],
  monotonic,
}: StoreFunctionsOptions): StoreFunctions {
  const evidence = evidenceDb(engine, process)
  const { run } = retention({
    engine,
    kept: [...KEPT, ...kept, KEPT_EVIDENCE, KEPT_MARKS, KEPT_LOGINS, ...KEPT_USAGE],
    warn: (warning) => tell({ warning }),
    ...(monotonic && { monotonic }),
  })
  return {
    evidence: {
      ...evidence,
      async keep(what, status) {
        await evidence.keep(what)
        await beat(status)
        await run()
      },
    },
    cutover: cutoverDb(engine),
    usage: usageDb(engine, bounds),
    logins: loginDb(engine),
    distrust: evidence.distrust,
  }
}
