import type { LoginStore } from './login-store.ts'

/** Calls a function of a `LoginStore`, as one function of the thread that has it. */
export type AskLogins = (name: keyof LoginStore, args: readonly unknown[]) => Promise<unknown>

/** Returns what answers in the thread that has the database. */
export function answerLogins(db: LoginStore): AskLogins {
  const byName = db as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
  return async (name, args) => byName[name]?.(...args)
}

/** Returns a `LoginStore` that asks the thread. */
export function loginStore(ask: AskLogins): LoginStore {
  const asked =
    <Name extends keyof LoginStore>(name: Name) =>
    (...args: Parameters<LoginStore[Name]>) =>
      ask(name, args) as ReturnType<LoginStore[Name]>
  return { add: asked('add'), read: asked('read'), forget: asked('forget') }
}
