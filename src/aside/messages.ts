import type { NotJson } from '../engine/json/scan-json.ts'

/** A message to the worker thread. */
export interface Task {
  readonly name: string
  readonly args: readonly unknown[]
}

/** The worker thread's answer to a task. */
export type Reply =
  | { readonly result: unknown }
  | {
      readonly error: {
        readonly kind: string
        readonly message: string
        readonly stack: string | undefined
        /** Only used for a JsonError. */
        readonly position: number
        readonly what?: NotJson | undefined
      }
    }
