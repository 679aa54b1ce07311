import type { CutoverStore } from '../cutover-store.ts'

/** Returns the store without its outbox, for when there is no receiver: messages would wait for one that is configured later. */
export const untold = (store: CutoverStore): CutoverStore => ({
  ...store,
  decide: ({ message: _, ...decision }, lease) => store.decide(decision, lease),
})
