import type { CutoverLease, Decision } from '../../src/cutover/cutover-store.ts'
import { StateError } from '../../src/state/state-error.ts'
import { type StoreFunctions, storeFunctions } from '../../src/workers/store-functions.ts'
import { type Link, modelEngine } from './model-engine.ts'
import type { World } from './replica.ts'
import { Life } from './virtual-time.ts'

type Parts = Omit<StoreFunctions, 'distrust'>

/** The thread of a process that stores. */
export interface StoreThread {
  readonly parts: Parts
  /** The thread ends, whatever it is doing, and another begins. */
  lose(): void
}

export interface StoreThreadOptions {
  readonly process: string
  /** The life of the process. */
  readonly life: Life
  readonly link: Link
}

/** Calls that a careless caller may send again although they were confirmed. */
const DOUBLED = new Set([
  'evidence.keep',
  'usage.add',
  'logins.add',
  'cutover.addAnswers',
  'cutover.decide',
  'cutover.settle',
])

/** Opens the functions of a store on a model of an engine, as `openPostgresStore` does in a thread. */
export function storeThread(world: World, { process, life, link }: StoreThreadOptions): StoreThread {
  const { random, faults, tell, witness } = world
  let calls = 0
  let purpose = process

  const open = () => {
    const own = new Life(life)
    const lost = Promise.withResolvers<never>()
    lost.promise.catch(() => undefined)
    const engine = modelEngine({
      ...{ ...world, link, life: own, holder: process, purpose: () => purpose },
      onFailed: () => functions.distrust(),
    })
    const functions: StoreFunctions = storeFunctions({
      ...{ engine, process, beat: () => undefined, tell: () => undefined, monotonic: () => world.time.now() },
    })
    return { functions, life: own, lost }
  }
  let thread = open()

  const ask = async (part: keyof Parts, name: string, args: readonly unknown[]): Promise<unknown> => {
    const { functions, lost } = thread
    const by = `${process} ${part}.${name} ${++calls}`
    if (part === 'cutover' && (name === 'decide' || name === 'settle')) {
      const lease = args[name === 'decide' ? 1 : 2] as CutoverLease | undefined
      const isMove = name === 'decide' && (args[0] as Decision).position !== undefined
      witness.asked(by, { token: lease?.token, isMove })
    }
    purpose = by
    const called = functions[part] as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
    return Promise.race([called[name]?.(...args), lost.promise])
  }
  const call = async (part: keyof Parts, name: string, args: readonly unknown[]): Promise<unknown> => {
    const answer = await ask(part, name, args)
    if (!(DOUBLED.has(`${part}.${name}`) && random.chance(faults.doubled))) return answer
    tell(`${process} sends ${part}.${name} again, which was confirmed`)
    return ask(part, name, args)
  }
  const partOf = <Name extends keyof Parts>(part: Name): Parts[Name] =>
    Object.fromEntries(
      Object.keys(thread.functions[part]).map((name) => [
        name,
        (...args: readonly unknown[]) => call(part, name, args),
      ]),
    ) as unknown as Parts[Name]
  return {
    parts: {
      evidence: partOf('evidence'),
      cutover: partOf('cutover'),
      usage: partOf('usage'),
      logins: partOf('logins'),
    },
    lose() {
      thread.life.end()
      thread.lost.reject(new StateError('the thread has ended', false))
      thread = open()
    },
  }
}
