import type { UsageDb } from './usage-db.ts'

/** Calls a function of a `UsageDb`, as one function of the thread that has it. */
export type AskUsage = (name: keyof UsageDb, args: readonly unknown[]) => Promise<unknown>

/** Returns what answers in the thread that has a `UsageDb`. */
export function answerUsage(db: UsageDb): AskUsage {
  const byName = db as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
  return async (name, args) => byName[name]?.(...args)
}

/** Returns a `UsageDb` whose functions are asked of a thread. */
export function usageDbOf(ask: AskUsage): UsageDb {
  const asked =
    <Name extends keyof UsageDb>(name: Name) =>
    (...args: Parameters<UsageDb[Name]>) =>
      ask(name, args) as ReturnType<UsageDb[Name]>
  return { add: asked('add'), read: asked('read'), weeks: asked('weeks'), forgetBefore: asked('forgetBefore') }
}
