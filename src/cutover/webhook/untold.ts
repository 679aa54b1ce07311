import type { CutoverStore } from '../cutover-store.ts'

/** Returns the store without its outbox, for when there is nobody to tell: messages would wait for whoever is named later. */
export const untold = (store: CutoverStore): CutoverStore => ({
  ...store,
  decide: ({ message: _, ...decision }, lease) => store.decide(decision, lease),
})
