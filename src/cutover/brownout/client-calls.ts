/** Calls of a brownout's operations: before it began, refused by it, and since it ended. */
export interface ClientCalls {
  readonly before: number
  readonly refused: number
  readonly since: number
}

/** The calls of each client, and of all others together: clients without a known name, and those beyond 1,000. */
export interface CallsByClient {
  readonly clients: readonly (ClientCalls & { readonly client: string })[]
  readonly others: ClientCalls
}

export const NO_CALLS: ClientCalls = { before: 0, refused: 0, since: 0 }
