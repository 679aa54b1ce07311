import { type Stores, storesOn } from '../../src/app/stores.ts'
import type { CutoverLease, Decision } from '../../src/control-plane/cutover/cutover-store.ts'
import type { Engine } from '../../src/control-plane/store/engine.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { type Link, modelEngine } from './model-engine.ts'
import type { World } from './replica.ts'
import { Life } from './virtual-time.ts'

export interface ModelStoresOptions {
  readonly process: string
  /** The life of the process. */
  readonly life: Life
  readonly link: Link
}

/** Calls that a careless caller may send again although they were confirmed. */
const DOUBLED = new Set(['store.add', 'store.keep', 'usage.add', 'logins.add', 'cutover.decide', 'cutover.settle'])

type Part = Exclude<keyof Stores, 'intervalMs'>

interface ModelStores {
  readonly stores: Stores
  /** The connection ends, whatever is under way, and another is opened. */
  loseConnection(): void
}

/** Opens the stores of a process on a model of an engine, as `openPostgresStore` does on a database. */
export function modelStores(world: World, { process, life, link }: ModelStoresOptions): ModelStores {
  const { random, faults, tell, witness, flavour } = world
  let calls = 0
  let purpose = process
  const connect = () => {
    const own = new Life(life)
    const lost = Promise.withResolvers<never>()
    lost.promise.catch(() => undefined)
    return { own, lost, ...modelEngine({ ...world, link, life: own, holder: process, purpose: () => purpose }) }
  }
  let connection = connect()
  const engine: Engine = {
    ...connection,
    transaction: (work, kind) => Promise.race([connection.transaction(work, kind), connection.lost.promise]),
    statement: (text, ...values) => Promise.race([connection.statement(text, ...values), connection.lost.promise]),
    lease: (name) => Promise.race([connection.lease(name), connection.lost.promise]),
  }
  const stores = storesOn({
    ...{ engine, process },
    log: { warn: () => undefined },
    beat: () => undefined,
    monotonic: () => world.time.now(),
    store: { name: 'the model', isShared: flavour === 'postgresql', close: async () => undefined },
  })

  const ask = async (part: Part, name: string, args: readonly unknown[]): Promise<unknown> => {
    const by = `${process} ${part}.${name} ${++calls}`
    if (part === 'cutover' && (name === 'decide' || name === 'settle')) {
      const lease = args[name === 'decide' ? 1 : 2] as CutoverLease | undefined
      const isMove = name === 'decide' && (args[0] as Decision).position !== undefined
      witness.asked(by, { token: lease?.token, isMove })
    }
    purpose = by
    const functions = stores[part] as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
    return functions[name]?.(...args)
  }
  const call = async (part: Part, name: string, args: readonly unknown[]): Promise<unknown> => {
    const answer = await ask(part, name, args)
    if (!(DOUBLED.has(`${part}.${name}`) && random.chance(faults.doubled))) return answer
    tell(`${process} sends ${part}.${name} again, which was confirmed`)
    return ask(part, name, args)
  }
  /** @param names the functions that use the database. */
  const through = <Name extends Part>(part: Name, names: readonly (keyof Stores[Name] & string)[]): Stores[Name] => ({
    ...stores[part],
    ...Object.fromEntries(names.map((name) => [name, (...args: readonly unknown[]) => call(part, name, args)])),
  })
  const asked: Stores = {
    store: through('store', ['open', 'add', 'keep', 'changes', 'resets']),
    cutover: through('cutover', ['read', 'keep', 'lease', 'decide', 'endBrownouts', 'audit', 'due', 'settle']),
    usage: through('usage', ['add', 'read', 'weeks']),
    logins: through('logins', ['add', 'read']),
    intervalMs: stores.intervalMs,
  }
  return {
    stores: asked,
    loseConnection() {
      connection.own.end()
      connection.lost.reject(new StateError('the connection was cut', true))
      connection = connect()
    },
  }
}
