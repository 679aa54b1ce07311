import type { CutoverEngine } from './cutover-db.ts'
import { type CutoverDb, cutoverDb } from './cutover-db.ts'

/** Calls a function of the `CutoverDb` in another thread, by its name. */
export type AskCutover = (name: keyof CutoverDb, args: readonly unknown[]) => Promise<unknown>

export function answerCutover(engine: CutoverEngine): AskCutover {
  const db = cutoverDb(engine) as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
  return async (name, args) => db[name]?.(...args)
}

/** Returns a `CutoverDb` that calls the one in another thread. */
export function cutoverDbOf(ask: AskCutover): CutoverDb {
  const asked =
    <Name extends keyof CutoverDb>(name: Name) =>
    (...args: Parameters<CutoverDb[Name]>) =>
      ask(name, args) as ReturnType<CutoverDb[Name]>
  return {
    ...{
      read: asked('read'),
      begin: asked('begin'),
      write: asked('write'),
      lease: asked('lease'),
      housekeep: asked('housekeep'),
    },
    ...{ decide: asked('decide'), endBrownouts: asked('endBrownouts'), audit: asked('audit') },
    ...{ due: asked('due'), settle: asked('settle') },
  }
}
