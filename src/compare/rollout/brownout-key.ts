import { createHash } from 'node:crypto'
import type { BrownoutRule } from './brownout-rule.ts'

/** How many characters of a hash distinguish the brownouts of a file: 72 bits. */
const LENGTH = 12

/**
 * Returns the name under which a brownout's calls are counted: a short hash of when it begins and of its operations. It stays the same when the
 * file is rearranged, and when `from` has another offset or the operations another order.
 */
export const brownoutKey = ({ from, operations }: Pick<BrownoutRule, 'from' | 'operations'>): string =>
  createHash('sha256')
    .update(JSON.stringify([Date.parse(from), [...new Set(operations)].sort()]))
    .digest('base64url')
    .slice(0, LENGTH)
