import type { V1Value } from '../../src/mapping/v1-facts.ts'

/** docs/contract.md 11: every paginated list. `change` says how perPage differs from legacy's, if legacy has it. */
export const paged = (perPage: number, change?: string): Readonly<Record<string, V1Value>> => ({
  page: { type: 'int', low: 1, default: 1 },
  perPage: { type: 'int', low: 1, high: 200, default: perPage, ...(change === undefined ? {} : { change }) },
})

/** docs/contract.md 8.5. */
export const sortOrder: V1Value = { type: 'string', values: ['asc', 'desc'], anyCase: true }
/** docs/contract.md 4.8, 4.9 and 4.12 show its default. */
export const sortOrderOfList: V1Value = { ...sortOrder, default: 'desc' }

/** docs/contract.md 4.10 to 4.14 show one value and no default. */
export const sortBy = (values: string): V1Value => ({
  type: 'string',
  shortest: 1,
  says: 'The contract shows orderNumber only. An unknown value is a 422.',
  assumed: `the other values are those of the legacy list: ${values}`,
})

/** docs/contract.md 4.8 and 4.9. */
export const flag: V1Value = { type: 'bool', oneAndZero: true }

const notShown = 'The contract does not show its form.'

/** docs/contract.md 4.10 and 4.11. */
export const placeFilters: Readonly<Record<string, V1Value>> = {
  ids: { says: notShown },
  nameExact: { says: notShown },
  namePrefix: { says: notShown },
}
