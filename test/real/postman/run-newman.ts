import { createRequire } from 'node:module'
import { z } from 'zod'
import type { PostmanCollection } from '../../../src/guide/postman/postman-collection.ts'

type Newman = {
  run(
    options: Readonly<Record<string, unknown>>,
    done: (error: Error | null, summary: { readonly run: unknown }) => void,
  ): void
}

const summary = z.object({
  executions: z.array(
    z.object({
      item: z.object({ name: z.string() }),
      response: z.object({ code: z.number() }).optional(),
      assertions: z
        .array(z.object({ assertion: z.string(), error: z.object({ message: z.string() }).optional() }))
        .default([]),
    }),
  ),
  failures: z.array(z.object({ error: z.object({ message: z.string() }) })),
})

/** A request as Postman's own command line made it. */
export interface Executed {
  readonly name: string
  /** Undefined: it was not answered. */
  readonly status: number | undefined
  /** What its scripts checked. */
  readonly checked: readonly string[]
}

/** Runs a collection in newman, in order, with these variables. Returns what was done, and every failure. */
export async function runInNewman(
  collection: PostmanCollection,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly executed: readonly Executed[]; readonly failures: readonly string[] }> {
  // It has no types, and is CommonJS.
  const newman = createRequire(import.meta.url)('newman') as Newman
  const environment = { values: Object.entries(variables).map(([key, value]) => ({ key, value, enabled: true })) }
  const options = { collection: structuredClone(collection), environment, reporters: [], timeoutRequest: 30_000 }
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  newman.run(options, (error, { run } = { run: undefined }) => (error === null ? resolve(run) : reject(error)))
  const { executions, failures } = summary.parse(await promise)
  return {
    executed: executions.map(({ item, response, assertions }) => ({
      name: item.name,
      status: response?.code,
      checked: assertions.map(({ assertion }) => assertion),
    })),
    failures: failures.map(({ error }) => error.message),
  }
}
