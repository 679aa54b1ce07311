import type { UsageDb } from './usage-db.ts'

/** Calls a function of the `UsageDb` in another thread, by its name. */
export type AskUsage = (name: keyof UsageDb, args: readonly unknown[]) => Promise<unknown>

/** Returns the function that answers these calls in the thread that has the `UsageDb`. */
export function answerUsage(db: UsageDb): AskUsage {
  const byName = db as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
  return async (name, args) => byName[name]?.(...args)
}

/** Returns a `UsageDb` that calls the one in another thread. */
export function usageDbOf(ask: AskUsage): UsageDb {
  const asked =
    <Name extends keyof UsageDb>(name: Name) =>
    (...args: Parameters<UsageDb[Name]>) =>
      ask(name, args) as ReturnType<UsageDb[Name]>
  return {
    ...{ add: asked('add'), read: asked('read'), weeks: asked('weeks'), brownouts: asked('brownouts') },
    forgetBefore: asked('forgetBefore'),
  }
}
