/** What the two threads say to each other. */
export interface Task {
  readonly name: string
  readonly args: readonly unknown[]
}

export type Reply =
  | { readonly result: unknown }
  | {
      readonly error: {
        readonly kind: string
        readonly message: string
        readonly stack: string | undefined
        /** Of a JsonError. */
        readonly position: number
      }
    }
