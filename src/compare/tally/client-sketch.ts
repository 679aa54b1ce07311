import { addSmallest } from './smallest.ts'

/** The most hashes kept per class of difference: the smallest ones. */
export const CLIENTS_KEPT = 32

/** Clients are told apart by hashes of 32 bits. */
const HASH_LIMIT = 2 ** 32

/** Adds clients to a sketch, which stays sorted and has at most `CLIENTS_KEPT`. The order of adding makes no difference. */
export const addClients = (kept: readonly number[], added: readonly number[]): readonly number[] =>
  addSmallest(kept, added, CLIENTS_KEPT)

/**
 * Returns the number of clients; `estimated`: there were more than a sketch holds, and it is right within about 18 % (see `Sketch`).
 * @param all the clients of the operation, in order; undefined: not all of them are known. Then the number is never above theirs, and
 * it is theirs if none of them is missing among the smallest.
 */
export function countClients(
  kept: readonly number[],
  all?: readonly number[],
): { readonly distinct: number; readonly estimated: boolean } {
  if (kept.length < CLIENTS_KEPT) return { distinct: kept.length, estimated: false }
  const largest = kept.at(-1) as number
  const asSmall = all?.filter((client) => client <= largest).length ?? 0
  if (all !== undefined && asSmall >= kept.length) {
    return { distinct: Math.round((kept.length / asSmall) * all.length), estimated: all.length > kept.length }
  }
  return { distinct: Math.round((CLIENTS_KEPT - 1) / (largest / HASH_LIMIT)), estimated: true }
}
