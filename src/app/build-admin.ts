import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { v1Facts } from '../../mappings/v1/facts.ts'
import { shellWord } from '../common/shell.ts'
import { wrongTokens } from '../control-plane/admin/admin-access.ts'
import type { ChangeStreams } from '../control-plane/admin/dashboard/change-streams.ts'
import type { keepRepeatedWrites } from '../control-plane/admin/dashboard/repeated-writes.ts'
import { type DashboardSources, serveDashboard } from '../control-plane/admin/dashboard/serve-dashboard.ts'
import type { Experiment } from '../control-plane/admin/dashboard/sources.ts'
import { serveAdmin } from '../control-plane/admin/serve-admin.ts'
import { serveClientGuides } from '../control-plane/admin/serve-client-guides.ts'
import { serveCutover } from '../control-plane/admin/serve-cutover.ts'
import { serveProposals } from '../control-plane/admin/serve-proposals.ts'
import { serveBrownouts, serveClients, serveEvidence } from '../control-plane/admin/serve-reports.ts'
import type { CutoverReport } from '../control-plane/cutover/cutover.ts'
import { whyNeverCompared } from '../control-plane/evidence/comparable.ts'
import { copiedBy } from '../control-plane/rollout/operation-rollout.ts'
import type { Gateway } from '../data-plane/gateway/gateway.ts'
import { closeIfUnread } from '../data-plane/http/close-connection.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { MakeGuide } from '../exchange/guide-form.ts'
import { exampleAnswer, exampleRequest } from '../guide/examples/translated.ts'
import { explainCall } from '../guide/explain/explain-call.ts'
import { serveExplain } from '../guide/explain/explain-over-http.ts'
import { explain } from '../guide/lines/explain.ts'
import { describeOpenapi, describeServers, type LegacyAddress, originOf } from '../guide/openapi/legacy-openapi.ts'
import { describeV1 } from '../guide/openapi/v1-openapi.ts'
import { postmanCollection } from '../guide/postman/postman-collection.ts'
import { uncertainLines } from '../guide/reference/describe-operation.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import { addressOf, type State } from '../observe/readiness.ts'
import { type Traffic, UNKNOWN } from '../observe/traffic.ts'
import { placeOf } from '../planes/decisions.ts'
import type { Brownouts } from './build-brownouts.ts'
import { gatewayDossier } from './build-dossier.ts'
import type { SideBySide } from './build-side-by-side.ts'
import type { Translation } from './build-translation.ts'
import type { Config } from './config.ts'
import type { Services } from './data-plane.ts'
import { mappingSchema, rolloutSchema } from './file-schemas.ts'
import { VERSION } from './version.ts'

export type AdminSettings = Pick<Config, 'adminToken' | 'basePath' | 'sunset'> & Partial<Pick<Config, 'copy'>>

interface Parts {
  readonly services: Services
  readonly translation: Translation
  readonly gateway: Gateway
  readonly sideBySide: SideBySide
  readonly brownouts: Brownouts
  readonly traffic: Traffic
  readonly repeatedWrites: Pick<ReturnType<typeof keepRepeatedWrites>, 'of'>
  readonly changes: ChangeStreams
  /** Makes a client's guide. */
  readonly guide: MakeGuide
  readonly metrics: Metrics
  readonly state: () => Promise<State>
  /** Waits until all calls that have been answered are counted. */
  readonly flush: () => Promise<void>
  /** Puts what was decided into effect. */
  readonly decide: () => Promise<void>
  /** Undefined: the gateway does not listen yet. */
  readonly legacyAddress: () => LegacyAddress | undefined
  readonly log: Logger
}

/** Builds the admin port. */
export function buildAdmin({ adminToken, basePath, sunset, copy }: AdminSettings, v1BaseUrl: URL, parts: Parts): Hono {
  const { services, gateway, sideBySide, brownouts, traffic, guide, metrics, state, log } = parts
  const operations = parts.translation.operations.now
  const explainer = {
    ...{ ...gateway, basePath, v1BaseUrl, hasLegacy: gateway.legacy !== undefined },
    get operations() {
      return operations()
    },
  }
  const mappings = () => operations().map(({ mapping }) => mapping)
  const ids = mappings().map(({ id }) => id)
  // Made once, because it takes a while and only the servers differ between callers.
  const describedAt = (origin: string) =>
    oncePer((all: readonly CompiledOperation[]) =>
      describeOpenapi(
        all.map(({ mapping }) => mapping),
        { origin, basePath, version: VERSION },
      ),
    )
  let described: ReturnType<typeof describedAt> | undefined
  return serveAdmin({
    token: adminToken,
    wrongTokens: wrongTokens((count, peer) =>
      log.warn({ count, peer }, 'wrong ADMIN_TOKENs were tried at the admin port; peer tried the last one'),
    ),
    state,
    metrics: metrics.read,
    routes: [
      serveDashboard({
        ...dashboardData(parts),
        get reference() {
          // Made on demand: it takes longer than everything else at startup, and few people ever look at it.
          return referenceOf(operations())
        },
        state,
        cutover: { ...sideBySide.cutover, sunset, placeOf },
        explain: (call) => explainCall(explainer, call),
        changes: parts.changes,
        basePath,
        version: VERSION,
      }),
      serveExplain(explainer),
      serveEvidence({
        operations: ids,
        reset(order) {
          log.info(order, 'the evidence of an operation was reset')
          return sideBySide.reset(order)
        },
        dossier: () => gatewayDossier(mappings(), sideBySide, traffic, dossierServices(services, copy?.baseUrl)),
      }),
      serveProposals(ids, sideBySide.proposals),
      serveCutover(ids, sideBySide.cutover),
      serveClients([...ids, UNKNOWN], sideBySide.usage.known),
      serveBrownouts(brownouts),
      serveClientGuides(guide),
    ],
    experiments: async (origin) => {
      const results = await sideBySide.experiments()
      return { ...results, operations: results.operations.map(withCommand(sideBySide.cutover.reports(), origin)) }
    },
    replicas: sideBySide.fleet.report,
    openapi(askedHost) {
      const address = parts.legacyAddress()
      if (address === undefined) return undefined
      const origin = originOf(address, askedHost)
      described ??= describedAt(origin)
      return { ...described(operations()), servers: describeServers(origin, basePath) }
    },
    documents: {
      '/postman.json': () => postmanCollection(operations(), v1Facts, v1BaseUrl),
      '/openapi-v1.json': () => describeV1(mappings(), v1Facts, v1BaseUrl),
      '/schemas/rollout.json': () => rolloutSchema(ids),
      '/schemas/mapping.json': () => mappingSchema(ids),
    },
    middleware: closeIfUnread,
    flush: parts.flush,
    decide: parts.decide,
    onError: (err) => log.error({ err }, 'the admin port could not answer'),
  })
}

/**
 * Returns a function that adds to the results of an operation what to do now, as a command; null: nothing that a command does. It is the order
 * that its plan waits for, or what finds the lines that would explain its differences.
 */
const withCommand =
  (plans: readonly CutoverReport[], origin: string) =>
  <Results extends Pick<Experiment, 'operation' | 'verdict'>>(
    results: Results,
  ): Results & Pick<CutoverReport, 'run'> => {
    const ordered = plans.find(({ operation }) => operation === results.operation)?.run
    const proposed = results.verdict === 'not ready' ? `legacy-gateway propose --admin ${shellWord(origin)}` : null
    return { ...results, run: ordered ?? proposed }
  }

const dossierServices = ({ v1, legacy, isSandbox = false }: Services, copy: URL | undefined) => ({
  ...(copy !== undefined && { copy: addressOf(copy) }),
  ...{ v1: addressOf(v1), legacy: legacy === undefined ? null : addressOf(legacy), sandbox: isSandbox },
})

function dashboardData({
  services,
  translation: { operations },
  sideBySide,
  brownouts,
  traffic,
  repeatedWrites,
}: Parts): Omit<DashboardSources, 'reference' | 'explain' | 'changes' | 'basePath' | 'version' | 'state' | 'cutover'> {
  return {
    traffic: traffic.snapshot,
    repeatedWrites: repeatedWrites.of,
    usage: sideBySide.usage.known,
    experiments: sideBySide.experiments,
    examples: sideBySide.examples.of,
    results: sideBySide.results,
    comparedDays: sideBySide.comparedDays,
    replicas: sideBySide.fleet.report,
    brownouts: brownouts.report,
    mapping: sideBySide.mapping,
    proposals: sideBySide.proposals,
    rollout() {
      const { rollout, loadedAt, error } = sideBySide.rollout()
      return {
        ...{ loadedAt, error, limits: rollout.limits, serve: rollout.serve },
        operations: operations.now().map(({ mapping }) => {
          const { id, v1 } = mapping
          const said = rollout.of(id)
          const neverCompared = whyNeverCompared(mapping, {
            ...{ hasLegacy: services.legacy !== undefined, isCopied: copiedBy(rollout)(id) },
          })
          // Whatever the file says, v1 answers none of its calls.
          if (v1 === undefined) {
            return { operation: id, ...said, serve: 'legacy', v1Percent: 0, neverCompared }
          }
          const v1Percent = sideBySide.cutover.percentOf(id) ?? said.v1Percent
          const hasPlan = said.plan !== undefined
          return { operation: id, ...said, v1Percent, hasPlan, neverCompared }
        }),
      }
    },
  }
}

const referenceOf = oncePer((operations: readonly CompiledOperation[]): DashboardSources['reference'] =>
  operations.map((operation) => ({
    ...operation.mapping,
    lines: operation.mapping.v1 === undefined ? [] : explain(operation.mapping),
    ...uncertainLines(operation.mapping),
    examples: { request: exampleRequest(operation), answer: exampleAnswer(operation, operations) },
  })),
)
