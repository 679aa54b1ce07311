import type { WriteTranslation } from '../compare/writes/check-write.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { roundTripper } from '../engine/round-trip.ts'
import { oncePer } from '../mapping/once-per.ts'

/** Returns what the gateway makes of an operation's writes without sending them. */
export const writeTranslation = oncePer(
  ({ mapping, translateRequest }: CompiledOperation): WriteTranslation => ({
    refusal: ({ query, body, asSent }) =>
      asSent?.refused ?? (translateRequest({ query, body }).call === undefined ? 400 : null),
    roundTrip: roundTripper(mapping),
  }),
)
