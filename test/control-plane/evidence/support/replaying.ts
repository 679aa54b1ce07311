import { type Expectations, expectationsOf } from '../../../../src/control-plane/evidence/expected/expectations.ts'
import type { Observation } from '../../../../src/control-plane/evidence/observation.ts'
import type { SideAnswer } from '../../../../src/exchange/exchange.ts'
import type { BadEntry, RecordedExchange } from '../../../../src/recordings/recorded-exchange.ts'
import {
  type Ask,
  type PlanOptions,
  planOf,
  type ReplayedOperation,
  type ReplayOptions,
  replay,
} from '../../../../src/recordings/replay/replay.ts'
import { chargeThings, createThing, listThings } from '../../../support/made-up-operations.ts'

/** Operations of a made-up service, including a login, by method and path. */
const operations: Readonly<Record<string, ReplayedOperation>> = {
  'GET /api/things': listThings,
  'POST /api/thing': createThing,
  'POST /api/thing/charges': chargeThings,
  'POST /login': { ...listThings, id: 'thing-login', login: { client: 'id', secret: 'secret', token: 'token' } },
}

export const planOptions: PlanOptions = {
  find: (method, path) => operations[`${method} ${path}`],
  prefixes: [],
  includeWrites: false,
}

let line = 0
/** A recorded request, `GET /api/things?page=2`; each has the next line number. */
export function entry(request: string, body?: string): RecordedExchange {
  const [method = '', path = ''] = request.split(' ')
  line++
  return { line, method, path, headers: {}, ...(body !== undefined && { body: Buffer.from(body) }) }
}

export const READ = 'GET /api/things'
export const WRITE = 'POST /api/thing'

export const answered = (body: string, status = 200, failure?: string): SideAnswer => ({
  status,
  body: Buffer.from(body),
  failure,
  milliseconds: 1,
})

/** A side that always gives the same answer. */
export const always =
  (body: string, status = 200, failure?: string): Ask =>
  async () =>
    answered(body, status, failure)

export const expectations: Expectations = expectationsOf(listThings, [])

type Changes = Partial<ReplayOptions> & { readonly plan?: Partial<PlanOptions> }

/** Replays entries against two sides that answer alike by default, and returns the observations. */
export async function replayed(
  entries: Iterable<RecordedExchange | BadEntry> | AsyncIterable<RecordedExchange | BadEntry>,
  { plan, ...changes }: Changes = {},
): Promise<readonly Observation[]> {
  const observations: Observation[] = []
  async function* all(): AsyncGenerator<RecordedExchange | BadEntry> {
    yield* entries
  }
  await replay(all(), {
    planOf: (exchange) => planOf({ ...planOptions, ...plan }, exchange),
    askControl: always('[]'),
    askCandidate: always('[]'),
    expectations: () => expectations,
    learning: () => ({}),
    repeatControl: false,
    confirm: true,
    concurrency: 4,
    pace: async () => undefined,
    record: (observation) => void observations.push(observation),
    signal: new AbortController().signal,
    ...changes,
  })
  return observations
}
