import { inject } from 'vitest'

/** What part of the full length a random run has among the behaviours. */
const SHORT = 1 / 20

/** Returns how often a random property is tried: `full` times with the surroundings, a twentieth of it with the behaviours. */
export const runs = (full: number): number => (inject('hasFullLength') ? full : Math.ceil(full * SHORT))
