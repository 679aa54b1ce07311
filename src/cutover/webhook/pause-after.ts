const FIRST_MS = 5_000
const LONGEST_MS = 600_000

/**
 * Returns how long to wait after a failed attempt: 5 s, doubling each time up to 10 minutes, then shortened at random to
 * between half and all of that, so that messages that failed together are not sent together again.
 * @param attempts how many attempts came before.
 * @param random from 0 to 1.
 */
export const pauseAfter = (attempts: number, random: number): number =>
  Math.round(Math.min(FIRST_MS * 2 ** attempts, LONGEST_MS) * (0.5 + random / 2))
