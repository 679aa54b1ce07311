import type { BrownoutRule } from '../../src/control-plane/rollout/brownout-rule.ts'

/** A brownout of everything from nine to ten, except for the given members. */
export const brownoutRule = (said: Partial<BrownoutRule> = {}): BrownoutRule => ({
  ...{ operations: ['*'], from: '2027-05-03T09:00:00+03:00', to: '2027-05-03T10:00:00+03:00' },
  ...{ percent: 100, of: 'calls', status: 503, except: [], why: 'rehearsal of the switch-off' },
  ...said,
})

/** When it begins and ends; ms since the epoch. */
export const BEGINS = Date.parse('2027-05-03T06:00:00Z')
export const ENDS = Date.parse('2027-05-03T07:00:00Z')
