import { serial } from '../../src/common/promises.ts'
import { countChange, type Engine } from '../../src/control-plane/store/engine.ts'
import { takeLease } from '../../src/control-plane/store/lease.ts'
import { query, type Work } from '../../src/control-plane/store/sql.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { type ModelDatabase, type ModelTransaction, SHARE } from './model-database.ts'
import type { Life, Random, VirtualTime } from './virtual-time.ts'

/** Which engine the database is a model of. */
export type Flavour = 'sqlite' | 'postgresql'

/** How often what fails, per transaction; from 0 to 1. The history changes it. */
export interface Faults {
  /** The transaction does not begin; on SQLite, the file is locked. */
  refused: number
  /** It is rolled back half way. */
  broken: number
  /** It is committed, and the answer is lost. Never on SQLite. */
  unheard: number
  /** It hangs for seconds. */
  hangs: number
  /** The caller sends again what was confirmed. */
  doubled: number
}

export const NO_FAULTS: Faults = { refused: 0, broken: 0, unheard: 0, hangs: 0, doubled: 0 }

/** @param much 1: as usual. */
export const faultsOf = (much: number): Faults => ({
  refused: 0.03 * much,
  broken: 0.03 * much,
  unheard: 0.04 * much,
  hangs: 0.02 * much,
  doubled: 0.03 * much,
})

/** Between a replica and the database. */
export interface Link {
  isCut: boolean
}

export interface ModelEngineOptions {
  readonly flavour: Flavour
  readonly database: ModelDatabase
  readonly time: VirtualTime
  readonly random: Random
  /** The clock of the store. */
  readonly clock: () => Date
  readonly faults: Faults
  readonly link: Link
  /** The life of the process that uses the engine. */
  readonly life: Life
  /** Identifies the process among the holders of leases. */
  readonly holder: string
  /** Says what a transaction is for that begins now. */
  readonly purpose: () => string
  readonly tell: (line: string) => void
}

/** As in the engines of `src/control-plane/store`; ms. */
const LEASE_MS = { sqlite: 5_000, postgresql: 10_000 }
/** How long a client waits for a statement, and the database for a client; ms. */
const PATIENCE_MS = 5_000
/** After a failure, requests are refused at once for this long; ms. */
const AWAY_MS = 1_000

type Outcome = 'fine' | 'refused' | 'broken' | 'unheard' | 'hangs'

/** An engine as a replica sees it: what it asks of the model of a database may fail in every way that the flavour knows. */
export function modelEngine(options: ModelEngineOptions): Engine {
  const { flavour, database, time, random, clock, faults, link, life, holder, purpose, tell } = options
  const inTurn = serial()
  let failedAt = Number.NEGATIVE_INFINITY

  const outcome = (): Outcome => {
    let left = random.share()
    const isUnder = (share: number): boolean => {
      left -= share
      return left < 0
    }
    if (isUnder(faults.refused)) return 'refused'
    if (isUnder(faults.broken)) return 'broken'
    if (isUnder(faults.hangs)) return 'hangs'
    return flavour === 'postgresql' && isUnder(faults.unheard) ? 'unheard' : 'fine'
  }
  const pause = (most: number): Promise<void> => time.sleep(random.below(most), life)
  const failure = (how: string): StateError => new StateError(how, true)

  /** One file for all: nothing comes between the statements of a transaction. */
  const onFile = async <Result>(work: (now: Date) => Work<Result>, by: string): Promise<Result> => {
    const what = outcome()
    if (what === 'refused') throw failure('the file is locked')
    if (what === 'hangs') await time.sleep(random.between(200, 9_000), life)
    const transaction = database.begin(by)
    const breaksAt = what === 'broken' ? random.below(6) : Number.POSITIVE_INFINITY
    try {
      const steps = work(clock())
      let step = steps.next()
      for (let nth = 0; step.done !== true; nth++) {
        if (nth === breaksAt) throw failure('the disk is full')
        step = steps.next(transaction.executeNow(step.value))
      }
      transaction.commit()
      return step.value
    } finally {
      transaction.rollback()
      await pause(10)
    }
  }

  /** Then the replica cannot take back what it has sent, nor ask what became of it. */
  const cutLink = (): void => {
    link.isCut = true
    time.after(random.between(5_000, 15_000), () => {
      link.isCut = false
    })
  }

  /** Runs the statements, with those of others in between. Returns what to answer after the commit. */
  const runSteps = async <Result>(
    transaction: ModelTransaction,
    work: (now: Date) => Work<Result>,
    what: Outcome,
  ): Promise<Result> => {
    const { by } = transaction
    const fails = what === 'broken' || (what === 'hangs' && random.chance(0.3))
    const breaksAt = fails ? random.below(6) : Number.POSITIVE_INFINITY
    const steps = work(clock())
    let step = steps.next()
    for (let nth = 0; step.done !== true; nth++) {
      if (nth === breaksAt && what === 'hangs') {
        tell(`${by}: a statement hangs`)
        await time.sleep(random.between(200, 9_000), life)
      } else if (nth === breaksAt) throw failure('it was rolled back half way')
      if (link.isCut) throw failure('the connection is lost half way')
      const rows = await transaction.execute(step.value)
      if (random.chance(0.3)) await pause(40)
      step = steps.next(rows)
    }
    return step.value
  }

  /** Sends the commit, after which the database does what it does, whether or not the client is still there. */
  const commit = async (transaction: ModelTransaction, what: Outcome): Promise<void> => {
    const { by } = transaction
    if (what === 'hangs') {
      const isCommitted = random.chance(0.6)
      tell(`${by}: the commit hangs${isCommitted ? '' : ' and fails'}`)
      if (random.chance(0.4)) cutLink()
      await time.sleep(random.between(200, 14_000))
      if (isCommitted) transaction.commit()
      else transaction.rollback()
      if (!isCommitted) throw new StateError('the commit failed', true)
      return
    }
    if (link.isCut) throw failure('the connection is lost before the commit')
    transaction.commit()
    if (what === 'unheard') throw failure('committed, and the answer is lost')
  }

  const onServer = async <Result>(work: (now: Date) => Work<Result>, by: string): Promise<Result> => {
    const what = outcome()
    if (what === 'refused') throw failure('it does not begin')
    if (link.isCut) {
      await time.sleep(random.between(1, PATIENCE_MS), life)
      throw failure('the database cannot be reached')
    }
    const transaction = database.begin(by)
    let isCommitSent = false
    let isAnswered = false
    const answer = (async () => {
      try {
        const result = await runSteps(transaction, work, what)
        isCommitSent = true
        await commit(transaction, what)
        return result
      } catch (error) {
        if (error instanceof StateError && !isAnswered) tell(`${by}: ${error.message}`)
        throw error
      } finally {
        isAnswered = true
        // Otherwise, the database ends it as it likes.
        transaction.rollback()
      }
    })()
    const giveUp = (): void => {
      if (!isCommitSent) transaction.rollback()
    }
    life.atEnd(giveUp)
    // A client that stops in the middle is not waited for.
    time.after(PATIENCE_MS, giveUp)
    const tooLate = time.sleep(PATIENCE_MS, life).then(() => {
      if (!isAnswered) tell(`${by}: no answer for ${PATIENCE_MS / 1_000} s`)
      throw new StateError('the database does not answer', true)
    })
    tooLate.catch(() => undefined)
    const result = await Promise.race([answer, tooLate])
    await pause(20)
    return result
  }

  const trying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (flavour === 'sqlite') return work()
    if (time.now() - failedAt < AWAY_MS) throw new StateError('it has just failed', true)
    try {
      return await work()
    } catch (error) {
      failedAt = time.now()
      throw error
    }
  }
  const write = <Result>(work: (now: Date) => Work<Result>): Promise<Result> => {
    const by = purpose()
    return inTurn(() => trying(() => (flavour === 'sqlite' ? onFile(work, by) : onServer(work, by))))
  }
  const read = <Result>(work: (now: Date) => Work<Result>): Promise<Result> => {
    return inTurn(() =>
      trying(async () => {
        if (outcome() === 'refused') throw failure('it cannot be read')
        if (link.isCut) throw failure('the database cannot be reached')
        const result = database.read(work(clock()))
        await pause(10)
        return result
      }),
    )
  }
  return {
    transaction: (work, kind) => (kind === 'read' ? read(work) : write(work)),
    statement: (text, ...values) => read(() => query(text.replaceAll('$schema', 'main'), ...values)),
    lease: (name) => write((now) => takeLease({ name, holder, milliseconds: LEASE_MS[flavour] }, now)),
    announce: flavour === 'sqlite' ? function* () {} : countChange,
    shareLock: flavour === 'sqlite' ? '' : SHARE,
  }
}
