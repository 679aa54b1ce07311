import { setImmediate } from 'node:timers/promises'
import { CALLED_DAYS } from '../control-plane/admin/dashboard/known-clients.ts'
import type { AuditEntry } from '../control-plane/cutover/audit.ts'
import type { Cutover } from '../control-plane/cutover/cutover.ts'
import { comparableOf } from '../control-plane/evidence/comparable.ts'
import {
  type Dossier,
  type DossierMapping,
  type DossierServices,
  dossierOf,
} from '../control-plane/evidence/dossier/dossier.ts'
import type { OperationCalls } from '../control-plane/evidence/dossier/dossier-callers.ts'
import { expectationsOf } from '../control-plane/evidence/expected/expectations.ts'
import { Resets } from '../control-plane/evidence/tally/resets.ts'
import {
  type CutoverStep,
  type StoredResults,
  stepOf,
  storedResults,
} from '../control-plane/evidence/tally/stored-results.ts'
import { createTally } from '../control-plane/evidence/tally/tally.ts'
import { judgeOverall } from '../control-plane/evidence/tally/verdict.ts'
import { copiedBy, demandsOf } from '../control-plane/rollout/operation-rollout.ts'
import type { Rollout } from '../control-plane/rollout/rollout.ts'
import type { PostgresSettings } from '../control-plane/store/postgres/postgres-settings.ts'
import type { Work } from '../control-plane/store/sql.ts'
import { readFile } from '../control-plane/store/sqlite-engine.ts'
import { StateError } from '../control-plane/store/state-error.ts'
import { wholeUsage } from '../control-plane/usage/store/read-pages.ts'
import { firstDay } from '../control-plane/usage/stored-usage.ts'
import { lawsOf } from '../guide/laws/laws.ts'
import { explain } from '../guide/lines/explain.ts'
import type { Operation } from '../mapping/operation.ts'
import type { Traffic } from '../observe/traffic.ts'
import type { SideBySide } from './build-side-by-side.ts'
import type { Config } from './config.ts'
import { VERSION } from './version.ts'

/** Explains mappings, and tries their laws: one at a time, so that whoever shares the thread need not wait for all of them. */
async function explained(mappings: readonly Operation[]): Promise<readonly DossierMapping[]> {
  const all: DossierMapping[] = []
  for (const mapping of mappings) {
    all.push({ mapping, lines: explain(mapping), laws: lawsOf(mapping) })
    await setImmediate()
  }
  return all
}

/** How long a dossier waits for the results of other gateways. */
const READ_MS = 5_000

/** The most entries of the audit that are read at a time. */
const AUDIT_PAGE = 200

/** Makes a dossier from what the running gateway knows. If the usage cannot be read, the callers are those since the start. */
export async function gatewayDossier(
  mappings: readonly Operation[],
  sideBySide: Pick<SideBySide, 'experiments' | 'rollout' | 'fleet' | 'cutover' | 'usage'>,
  traffic: Pick<Traffic, 'snapshot'>,
  services: DossierServices,
): Promise<Dossier> {
  const { since, asOf, operations, overall } = await sideBySide.experiments({ withinMs: READ_MS })
  const { rollout } = sideBySide.rollout()
  const { engine, replicas } = sideBySide.fleet.report()
  const degradedSince = engine.state === 'degraded' ? engine.since : null
  return dossierOf({
    ...{
      madeAt: new Date().toISOString(),
      gateway: VERSION,
      source: 'gateway',
      services,
      since,
      asOf,
      overall,
      rollout,
    },
    percentOf: sideBySide.cutover.percentOf,
    fleet: { engine: engine.kind, replicas: replicas.length, degradedSince },
    reports: operations,
    mappings: await explained(mappings),
    usage: await usage(),
    steps: await wholeAudit(sideBySide.cutover).catch((error: unknown) => {
      if (!(error instanceof StateError)) throw error
      return undefined
    }),
  })

  async function usage(): Promise<{ readonly since: string; readonly calls: readonly OperationCalls[] }> {
    // What calls showed takes long to read, and may take too long.
    for (const isWhole of [true, false]) {
      try {
        const calls = await sideBySide.usage.known.since(CALLED_DAYS, { isWhole })
        // In memory, usage begins when the gateway starts.
        const since = overall.kept ? Date.parse(firstDay(CALLED_DAYS, Date.now())) : traffic.snapshot().since
        return { since: isoOf(since), calls: isWhole ? calls : calls.map(({ seen: _, ...counts }) => counts) }
      } catch (error) {
        if (!(error instanceof StateError)) throw error
      }
    }
    const { since, totals } = traffic.snapshot()
    return { since: isoOf(since), calls: totals }
  }
}

const isoOf = (at: number): string => new Date(at).toISOString()

/** Reads the audit page by page, newest first. Rejects with a StateError. */
async function wholeAudit({ audit }: Pick<Cutover, 'audit'>): Promise<readonly CutoverStep[]> {
  const steps: CutoverStep[] = []
  let before: AuditEntry | undefined
  for (;;) {
    const entries = await audit({ before, limit: AUDIT_PAGE })
    steps.push(...entries.map((entry) => stepOf({ ...entry })))
    before = entries.at(-1)
    if (entries.length < AUDIT_PAGE) return steps
  }
}

/**
 * Makes a dossier from the stored results alone, without what gateways have not stored yet.
 * @throws StateError if they cannot be read.
 */
export async function storedDossier(
  { stateDb, postgres }: Pick<Config, 'stateDb' | 'postgres'>,
  mappings: readonly Operation[],
  rollout: Rollout,
): Promise<Dossier> {
  const callsSince = firstDay(CALLED_DAYS, Date.now())
  const results =
    postgres === undefined ? readFile(stateDb, everything(callsSince)) : await readFromDatabase(postgres, callsSince)
  const { since, counts, resets: stored, steps, percents, calls } = results
  const resets = new Resets(Date.now)
  for (const reset of stored) resets.add(reset)
  const mapped = await explained(mappings)
  const expectations = new Map(
    mapped.map(({ mapping, lines }) => [mapping.id, expectationsOf(mapping, lines, rollout.rules)]),
  )
  const tally = createTally(() => ({ expectations, demandsOf: (id) => demandsOf(rollout, id, Date.now) }), resets)
  tally.importCounts(counts)
  const reports = tally.snapshot()
  const overall = judgeOverall(reports, comparableOf(mappings, copiedBy(rollout)), rollout.confidence)
  return dossierOf({
    ...{
      madeAt: new Date().toISOString(),
      gateway: VERSION,
      source: 'state file',
      services: null,
      since,
      asOf: null,
      rollout,
    },
    percentOf: (id) => (rollout.of(id).plan === undefined ? undefined : (percents.get(id) ?? 0)),
    fleet: { engine: postgres === undefined ? 'sqlite' : 'postgresql', replicas: null, degradedSince: null },
    overall: { ...overall, kept: true },
    reports: reports.map((report) => ({
      ...report,
      differences: report.differences.map(({ lines: _, ...difference }) => difference),
    })),
    ...{ mappings: mapped, steps },
    usage: { since: isoOf(Date.parse(callsSince)), calls },
  })
}

interface Everything extends StoredResults {
  readonly calls: readonly OperationCalls[]
}

/** Reads the results and who called since a day, YYYY-MM-DD. */
function* everything(callsSince: string): Work<Everything> {
  return { ...(yield* storedResults()), calls: yield* wholeUsage(callsSince) }
}

/** Loads PostgreSQL's client only here: it takes much memory, which other gateways and commands do not need. */
async function readFromDatabase(settings: PostgresSettings, callsSince: string): Promise<Everything> {
  const [{ openDatabase }, { readDatabase }] = await Promise.all([
    import('../control-plane/store/postgres/open-database.ts'),
    import('../control-plane/store/postgres/migrate.ts'),
  ])
  const database = openDatabase(settings)
  try {
    return await readDatabase(database, settings.schema, everything(callsSince))
  } finally {
    await database.close(0)
  }
}
