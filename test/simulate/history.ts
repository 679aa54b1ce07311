import { type Expectations, expectationsOf } from '../../src/control-plane/evidence/expected/expectations.ts'
import type { Criteria } from '../../src/control-plane/evidence/tally/tally.ts'
import { wrongAtEnd } from './checks.ts'
import { ModelDatabase } from './model-database.ts'
import { type Faults, type Flavour, faultsOf, type Link, NO_FAULTS } from './model-engine.ts'
import { rolloutOf, STEPS } from './plans.ts'
import { type ReplicaProcess, type Subject, startProcess, type World } from './replica.ts'
import { BEGINNING, OPERATIONS } from './traffic.ts'
import { randomFrom, VirtualTime } from './virtual-time.ts'
import { decisionWitness } from './witness.ts'

/** What became of a history. */
export interface Outcome {
  readonly seed: number
  /** What happened, a line each. */
  readonly trace: readonly string[]
  /** What is wrong at the end, in plain sentences; empty: nothing. */
  readonly wrong: readonly string[]
}

/** A place of a gateway: its process may end, and another begins there. */
interface Replica {
  readonly id: string
  readonly link: Link
  starts: number
  process: ReplicaProcess | undefined
}

const SUBJECTS: readonly Subject[] = ['evidence', 'usage', 'logins', 'plans']
const TICK_MS = 1_000
/** How often a gateway stores when only messages are waited for. */
const CALM_TICK_MS = 4_000
const SERVE_MS = 300
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** So long after the last fault everything is stored, and every message delivered. */
const MOST_END_MS = 600_000

const MAPPED: ReadonlyMap<string, Expectations> = new Map(
  OPERATIONS.map((id) => [id, expectationsOf({ id, response: { kind: 'pass-through' } }, [])]),
)

/** Runs a history. All that happens follows from the seed. */
export async function runHistory(seed: number): Promise<Outcome> {
  const random = randomFrom(seed)
  const time = new VirtualTime()
  const trace: string[] = []
  const tell = (line: string): void => void trace.push(`${(time.now() / 1_000).toFixed(3).padStart(9)}  ${line}`)

  const flavour: Flavour = random.chance(0.3) ? 'sqlite' : 'postgresql'
  const some = SUBJECTS.filter(() => random.chance(0.4))
  const subjects = new Set(some.length > 0 ? some : [random.pick(SUBJECTS)])
  const hasPlans = subjects.has('plans')
  /** How much goes wrong in this history. */
  const wildness = random.pick([0.3, 1, 1, 2])
  // Long enough for a lease to end, and for another one to take it over.
  const lengthMs = random.between(6_000, 15_000) + (hasPlans ? 5_000 : 0)
  tell(`a history of ${[...subjects].join(', ')} on ${flavour} begins`)

  /** How far the clock of the store is ahead, and how fast it goes. */
  let ahead = 0
  let drift = 0
  let furthest = 0
  let hasLeapt = false
  let rollout = rolloutOf(random.pick(STEPS))
  let receiverFailures = 0.3 * wildness
  let arePlansMoving = true
  let number = 0
  const faults: Faults = { ...NO_FAULTS }
  const criteria: Criteria = {
    ...{ expectations: MAPPED, now: () => BEGINNING + time.now() },
    demandsOf: () => ({ target: 0.9, confidence: 0.9, unjudged: 0.1 }),
  }
  const witness = decisionWitness()
  const world: World = {
    ...{ flavour, subjects, time, random, faults, witness, tell },
    database: new ModelDatabase(witness, new Date(BEGINNING)),
    clock: () => new Date(BEGINNING + Math.round(time.now() * (1 + drift)) + ahead),
    ...{ criteria: () => criteria, rollout: () => rollout },
    arePlansMoving: () => arePlansMoving,
    receiverFails: () => receiverFailures,
    newNumber: () => ++number,
  }

  const setClock = (by: number, faster: number): void => {
    ahead = by
    drift = faster
    hasLeapt ||= Math.abs(ahead) > HOUR_MS
    furthest = Math.max(furthest, ahead)
    tell(`the clock of the store is ${ahead} ms ahead now, and gains ${drift * 1_000} ms in a second`)
  }

  const all: ReplicaProcess[] = []
  const replicas = ['a', 'b', 'c'].map((id): Replica => ({ id, link: { isCut: false }, starts: 0, process: undefined }))
  let isServing = true
  const start = (replica: Replica): void => {
    if (replica.process !== undefined) return
    const process = startProcess(world, `${replica.id}.${++replica.starts}`, all.length, replica.link)
    replica.process = process
    all.push(process)
    tell(`${process.name} starts`)
    const tick = (): void => {
      process.tick()
      time.after(arePlansMoving ? TICK_MS : CALM_TICK_MS, tick, process.life)
    }
    const serve = (): void => {
      if (!isServing) return
      process.serve()
      time.after(random.below(2 * SERVE_MS), serve, process.life)
    }
    time.after(random.below(TICK_MS), tick, process.life)
    time.after(random.below(SERVE_MS), serve, process.life)
  }
  const crash = (replica: Replica): void => {
    const { process } = replica
    if (process === undefined) return
    tell(`${process.name} is killed`)
    process.life.end()
    replica.process = undefined
    time.after(random.between(100, 6_000), () => start(replica))
  }

  /** What may happen, and how often in comparison. */
  const events: readonly (readonly [weight: number, happen: (replica: Replica) => void])[] = [
    [6, (replica) => (random.chance(0.5) && all.length < 14 ? crash(replica) : undefined)],
    [
      flavour === 'postgresql' ? 2 : 0,
      ({ process }) => {
        if (process === undefined) return
        tell(`the connection of ${process.name} is cut`)
        process.loseConnection()
      },
    ],
    [
      5,
      ({ process }) => {
        const ms = random.between(500, 14_000)
        if (process === undefined) return
        tell(`${process.name} stands still for ${ms} ms`)
        process.life.pauseUntil(time.now() + ms)
      },
    ],
    [
      flavour === 'postgresql' ? 4 : 0,
      ({ id, link }) => {
        if (link.isCut) return
        tell(`${id} cannot reach the database`)
        link.isCut = true
        time.after(random.between(500, 9_000), () => {
          if (link.isCut) tell(`${id} reaches the database again`)
          link.isCut = false
        })
      },
    ],
    [
      3,
      () => {
        // Messages are given up after a day, so a clock that is off by more would lose them.
        const most = hasPlans ? 10 * HOUR_MS : 500 * DAY_MS
        // What is written by a clock that is months slow, for seconds that nobody notices, is old from the beginning.
        const back = Math.min(most, 60 * DAY_MS)
        const by = random.pick([0, 1_000, -1_000, 20_000, -20_000, random.between(-back, most), most])
        setClock(by, random.pick([0, 0, 0.01, -0.01]))
      },
    ],
    [
      4,
      () => {
        Object.assign(faults, faultsOf(random.pick([0, 1, 1, 3]) * wildness))
        tell(`faults now: ${JSON.stringify(faults)}`)
      },
    ],
    [
      hasPlans ? 3 : 0,
      () => {
        rollout = rolloutOf(random.pick(STEPS))
        tell('the rollout file changes')
      },
    ],
    [
      hasPlans ? 8 : 0,
      ({ process }) => {
        const [operation, action] = [
          random.pick(OPERATIONS),
          random.pick(['advance', 'advance', 'pause', 'resume', 'resume', 'stop'] as const),
        ]
        if (process === undefined || process.life.pausedUntil > time.now()) return
        tell(`${process.name} is ordered to ${action} ${operation}`)
        process.order(operation, action)
      },
    ],
    [
      subjects.has('evidence') ? 1 : 0,
      ({ process }) => {
        const operation = random.pick(OPERATIONS)
        if (process === undefined || process.life.pausedUntil > time.now()) return
        tell(`${process.name} resets the evidence of ${operation}`)
        process.reset(operation)
      },
    ],
    [
      hasPlans ? 0 : 2,
      () => {
        // After a day, the store would believe a clock that is wrong.
        const ms = hasLeapt ? 2 * MINUTE_MS : random.pick([2 * MINUTE_MS, DAY_MS + HOUR_MS])
        tell(`${ms / MINUTE_MS} minutes pass`)
        time.skip(ms)
      },
    ],
  ]
  const weights = events.reduce((sum, [weight]) => sum + weight, 0)
  const happen = (): void => {
    if (!isServing) return
    let left = random.share() * weights
    const event = events.find(([weight]) => {
      left -= weight
      return left < 0
    })
    event?.[1](random.pick(replicas))
    time.after(random.between(100, 2_500 / wildness), happen)
  }

  /** Stops a plan by hand, which stays so. Another order comes before that is stored. */
  const stopPlan = ({ process }: Replica): void => {
    if (process === undefined) return
    const operation = random.pick(OPERATIONS)
    tell(`${process.name} is ordered to stop ${operation} for good`)
    process.order(operation, 'stop')
    time.after(random.below(1_000), () => process.order(random.pick(OPERATIONS), 'advance'), process.life)
  }
  /** The clock of the store, which was right for a day, leaps by more than a year. */
  const leapAfterDay = (): void => {
    const pass = (ms: number) => (): void => {
      tell(`${ms / MINUTE_MS} minutes pass`)
      time.skip(ms)
    }
    const leap = (): void => {
      setClock(500 * DAY_MS, 0)
    }
    for (const [at, work] of [
      [1_500, pass(DAY_MS + HOUR_MS)],
      [3_500, leap],
      [4_000, pass(2 * MINUTE_MS)],
    ] as const)
      time.after(at, work)
  }

  try {
    Object.assign(faults, faultsOf(wildness))
    for (const replica of replicas) start(replica)
    if (!hasPlans && random.chance(0.1)) leapAfterDay()
    if (hasPlans) time.after(lengthMs - random.between(100, 4_000), () => stopPlan(random.pick(replicas)))
    happen()
    await time.pass(lengthMs)

    tell('the faults end')
    isServing = false
    Object.assign(faults, NO_FAULTS)
    receiverFailures = 0
    ahead = furthest
    drift = 0
    for (const replica of replicas) start(replica)
    const alive = replicas.flatMap(({ process }) => process ?? [])
    const passUntil = async (isDone: () => boolean): Promise<void> => {
      for (let ms = 0; !isDone() && ms < MOST_END_MS; ms += TICK_MS) await time.pass(TICK_MS)
    }
    const isWell = (): boolean =>
      world.database.isIdle() &&
      replicas.every(({ link }) => !link.isCut) &&
      alive.every((process) => process.life.pausedUntil <= time.now())
    await passUntil(isWell)
    await passUntil(() => isWell() && alive.every((process) => process.isStored()))
    arePlansMoving = false
    await passUntil(() => isWell() && witness.missing().length === 0)
    // Every replica reads once more, after whatever it began before has ended.
    for (const _ of ['what it began', 'once more']) {
      const ticks = alive.map((process) => process.ticks())
      await passUntil(() => alive.every((process, at) => process.hasTickedSince(ticks[at] as number)))
    }
    for (const process of alive) {
      if (!process.isStored()) witness.wrong.push(`${process.name} has still not stored everything.`)
    }
    const ending = wrongAtEnd({ world, all, alive })
    await time.pass(5_000)
    const wrong = await Promise.race([ending, time.pass(60_000).then(() => ['The checks do not end.'])])
    for (const line of wrong) tell(line)
    tell(
      `the end: ${number} results, calls and logins, ${all.length} processes, ${wrong.length === 0 ? 'everything is right' : 'something is wrong'}`,
    )
    return { seed, trace, wrong }
  } finally {
    world.database.close()
  }
}
