import { Histogram } from '../../src/common/histogram.ts'
import type { Action } from '../../src/control-plane/cutover/decide/order.ts'
import { ANSWERS } from '../../src/control-plane/cutover/store/stage-answers.ts'
import type { Lineage } from '../../src/control-plane/evidence/lineage.ts'
import type { Observation } from '../../src/control-plane/evidence/observation.ts'
import type { Criteria } from '../../src/control-plane/evidence/tally/tally.ts'
import { tallyKeeper } from '../../src/control-plane/evidence/tally/tally-keeper.ts'
import type { Rollout } from '../../src/control-plane/rollout/rollout.ts'
import { documentsAfter } from '../../src/control-plane/store/ledger.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { countUsage } from '../../src/control-plane/usage/count-usage.ts'
import { keepUsage } from '../../src/control-plane/usage/keep-usage.ts'
import { keepLogins } from '../../src/control-plane/usage/logins/keep-logins.ts'
import type { TokenOwner } from '../../src/data-plane/gateway/login/known-tokens.ts'
import type { ModelDatabase } from './model-database.ts'
import type { Faults, Flavour, Link } from './model-engine.ts'
import { modelStores } from './model-stores.ts'
import { type PlansHere, plansHere, sendMessages } from './plans.ts'
import {
  BEGINNING,
  BROWNOUT,
  BUSY_CLIENT,
  Counted,
  loginOf,
  type MarkedCall,
  OPERATIONS,
  observationOf,
  usedCall,
} from './traffic.ts'
import { Life, type Random, type VirtualTime } from './virtual-time.ts'
import type { DecisionWitness } from './witness.ts'

/** What a history is about. */
export type Subject = 'evidence' | 'usage' | 'logins' | 'plans'

/** What all replicas of a history share. */
export interface World {
  readonly flavour: Flavour
  readonly subjects: ReadonlySet<Subject>
  readonly database: ModelDatabase
  readonly time: VirtualTime
  readonly random: Random
  /** The clock of the store. */
  readonly clock: () => Date
  readonly faults: Faults
  readonly criteria: () => Criteria
  readonly rollout: () => Rollout
  readonly arePlansMoving: () => boolean
  readonly witness: DecisionWitness
  readonly receiverFails: () => number
  /** Returns a number that was never returned before. */
  readonly newNumber: () => number
  readonly tell: (line: string) => void
}

/** A result, and the versions that it was counted for. */
export interface CountedObservation {
  readonly observation: Observation
  readonly lineage: Lineage
}

/** A process of a replica: everything that it has in memory, and what it has counted. */
export interface ReplicaProcess {
  readonly name: string
  readonly life: Life
  readonly observed: Counted<CountedObservation>
  readonly used: Counted<MarkedCall>
  readonly logins: Counted<TokenOwner>
  /** Who each token belongs to, as far as the process has learnt. */
  readonly learnt: ReadonlyMap<string, string>
  /** The bucket in which the calls are that it has answered. */
  readonly bucket: number
  readonly plans: PlansHere
  /** How many of its answered calls of a stage were stored when it last heard that they were, by `answersKey`. */
  readonly answersStored: ReadonlyMap<string, number>
  /** Some calls come in. */
  serve(): void
  /** Does what a gateway does once a second. */
  tick(): void
  /** How often it has begun to. */
  ticks(): number
  /** Whether all ticks up to this one have ended, and a later one too. */
  hasTickedSince(tick: number): boolean
  reset(operation: string): void
  order(operation: string, action: Action): void
  loseConnection(): void
  /** Whether everything that it has counted is stored. */
  isStored(): boolean
  /** Returns the report of all operations, after it has read what others stored; JSON. */
  report(): Promise<string>
  since(): string
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Starts a process. @param nth tells the processes of a history apart. */
export function startProcess(world: World, name: string, nth: number, link: Link): ReplicaProcess {
  const { subjects, time, random, criteria, tell } = world
  const life = new Life()
  /** The clock of the machine is a little off. */
  const offset = random.between(-400, 400)
  const wall = (): number => BEGINNING + time.now() + offset
  const now = (): Date => new Date(wall())
  const monotonic = (): number => time.now()
  let ids = 0
  const newId = (): string => `${name}-${++ids}`

  /** The time that each of its answered calls takes. */
  const milliseconds = 10 * 1.3 ** nth
  const histogram = new Histogram()
  histogram.add(milliseconds)
  const bucket = histogram.counts()[0]?.[0] as number

  const { stores, loseConnection } = modelStores(world, { process: name, life, link })
  const answersStored = new Map<string, number>()
  const cutover: typeof stores.cutover = {
    ...stores.cutover,
    async keep(answered) {
      await stores.cutover.keep(answered)
      for (const { key, doc } of world.database.read(documentsAfter(ANSWERS, 0))) {
        const own = [...doc.v1.times, ...doc.legacy.times].filter(([inBucket]) => inBucket === bucket)
        answersStored.set(
          key,
          own.reduce((sum, [, times]) => sum + times, 0),
        )
      }
    },
  }

  const observed = new Counted<CountedObservation>()
  const tally = tallyKeeper({ store: stores.store, criteria, now, monotonic, log: SILENT })

  const used = new Counted<MarkedCall>()
  const counter = countUsage(OPERATIONS)
  let usageSent = 0
  const usage = keepUsage({
    ...{ counter, onUsedAgain: () => undefined, log: SILENT },
    store: {
      ...stores.usage,
      async add(portion) {
        const again = await stores.usage.add(portion)
        usageSent += portion.rows.filter(({ client }) => client !== BUSY_CLIENT).length
        used.confirm(usageSent)
        return again
      },
    },
  })

  const logins = new Counted<TokenOwner>()
  const learnt = new Map<string, string>()
  let loginsSent = 0
  const loginKeeper = keepLogins({
    ...{ log: SILENT, learn: ({ hash, client }: TokenOwner) => void learnt.set(hash, client) },
    store: {
      read: stores.logins.read,
      async add(some) {
        await stores.logins.add(some)
        loginsSent += some.length
        logins.confirm(loginsSent)
      },
    },
  })

  const plans = plansHere({ store: cutover, rollout: world.rollout, now, monotonic, newId })
  if (subjects.has('plans')) {
    sendMessages({
      store: stores.cutover,
      time,
      life,
      random,
      witness: world.witness,
      tell,
      fails: world.receiverFails,
    })
  }
  /** Anything but a failure of the store is a fault of the code. */
  const unlessStateError = (error: unknown): void => {
    if (!(error instanceof StateError))
      world.witness.wrong.push(`${name} failed: ${error instanceof Error ? error.stack : error}`)
  }
  const storeEvidence = async (): Promise<void> => {
    try {
      if (!tally.isOpen()) await tally.open()
      const many = observed.size
      await tally.keep(false)
      observed.confirm(many)
      if (random.chance(0.4)) await tally.load()
    } catch (error) {
      unlessStateError(error)
    }
  }
  let storing: Promise<void> | undefined
  const keepEvidence = (): Promise<void> => {
    storing ??= storeEvidence().finally(() => {
      storing = undefined
    })
    return storing
  }
  /** Numbers of the ticks that have not ended. */
  const ticking = new Set<number>()
  let ticks = 0
  let lastEnded = 0
  return {
    ...{ name, life, observed, used, logins, learnt, plans, answersStored, loseConnection },
    bucket,
    serve() {
      if (subjects.has('evidence')) {
        for (let more = random.below(4); more > 0; more--) {
          const observation = observationOf(world.newNumber(), wall(), random)
          observed.add({ observation, lineage: tally.whole().lineageOf(observation) })
          tally.record(observation)
        }
      }
      if (subjects.has('usage') && random.chance(0.6)) {
        const call = usedCall(world.newNumber(), wall(), random)
        for (const client of [call.client, BUSY_CLIENT]) {
          counter.count({ ...call, client })
          counter.mark({ ...call, client }, BROWNOUT, call.mark)
        }
        used.add(call)
      }
      if (subjects.has('logins') && random.chance(0.3)) {
        const login = loginOf(world.newNumber(), random)
        logins.add(login)
        loginKeeper.note(login)
      }
      if (subjects.has('plans')) {
        for (let more = random.below(4); more > 0; more--) {
          const side = random.pick(['v1', 'legacy'] as const)
          plans.answered(random.pick(OPERATIONS), side, random.chance(0.02), milliseconds)
        }
      }
    },
    tick() {
      const tick = ++ticks
      ticking.add(tick)
      const work = [
        subjects.has('evidence') ? keepEvidence() : undefined,
        subjects.has('usage') ? usage.keep() : undefined,
        subjects.has('logins') ? loginKeeper.keep() : undefined,
        subjects.has('plans') && world.arePlansMoving() ? plans.turn() : undefined,
      ]
      void Promise.all(work)
        .catch(unlessStateError)
        .then(() => {
          ticking.delete(tick)
          lastEnded = Math.max(lastEnded, tick)
        })
    },
    ticks: () => ticks,
    hasTickedSince: (tick) => lastEnded > tick && ![...ticking].some((one) => one <= tick),
    reset: (operation) => void tally.reset({ operation, by: 'operator', why: 'a fault was repaired' }),
    order: (operation, action) => void plans.order(operation, action).catch(unlessStateError),
    isStored: () =>
      (!subjects.has('evidence') || (tally.isOpen() && tally.exchanges() === 0)) &&
      (!subjects.has('usage') || usage.unstored().length === 0) &&
      (!subjects.has('logins') || loginsSent === logins.size) &&
      (!subjects.has('plans') || plans.isStored()),
    async report() {
      await tally.keep(true)
      await tally.load()
      return JSON.stringify(tally.whole().snapshot())
    },
    since: tally.since,
  }
}
