import type { OperationProposals } from '../../src/control-plane/evidence/proposals/proposals.ts'

/** What a week of comparisons proposes for the invoices: a certain line, an ambiguous one and a weak one. */
export const someProposals: OperationProposals = {
  operation: 'invoice-list',
  exchanges: 120,
  proposals: [
    {
      legacy: 'data[].currency.updatedAt',
      line: { from: 'items[].currency.changed', as: 'timestamp' },
      certainty: 'certain',
      settles: [
        { kind: 'missing', path: 'data[].currency.updatedAt' },
        { kind: 'extra', path: 'data[].currency.changed' },
      ],
      support: { exchanges: 120, places: 9_720, distinct: 81, inputs: 14 },
      alternatives: [],
    },
    {
      legacy: 'data[].weight',
      line: { from: 'items[].packages.chargeableWeight' },
      certainty: 'ambiguous',
      settles: [{ kind: 'missing', path: 'data[].weight' }],
      support: { exchanges: 120, places: 9_720, distinct: 40, inputs: 14 },
      alternatives: [
        {
          line: { from: 'items[].packages.theWeightThatTheScalesShowedInKilograms' },
          tells:
            'an exchange in which items[].packages.chargeableWeight and items[].packages.theWeightThatTheScalesShowedInKilograms differ',
        },
      ],
    },
    {
      legacy: 'data[].madeBy',
      line: { drop: true },
      certainty: 'certain',
      settles: [{ kind: 'extra', path: 'data[].madeBy' }],
      support: { exchanges: 120, places: 9_720, distinct: 0, inputs: 14 },
      alternatives: [],
    },
  ],
  unexplained: [
    {
      kind: 'changed',
      path: 'data[].aMemberWhoseNameIsLongerThanAPhoneIsWide',
      says: 'no line of one v1 path or two explains it',
    },
    { kind: 'changed', path: 'data[].priceTry', says: 'agrees with items[].priceTry in 9,412 of 9,720 places' },
  ],
  requests: [
    { legacy: 'cityName', calls: 40, clients: 3, says: 'the mapping does not send it', v1Path: null },
    { legacy: 'search', calls: 2, clients: 1, says: 'legacy accepts it, v1 refuses it', v1Path: 'query.search' },
  ],
  limits: ['of a large answer of v1, only the first rows were looked at'],
  trial: {
    since: '2025-03-03T08:00:00.000Z',
    ...{ matched: 238, mismatched: 2 },
    settled: [{ kind: 'missing', path: 'data[].currency.updatedAt' }],
    caused: [],
  },
  file: {
    operations: {
      'invoice-list': {
        why: 'first week',
        response: {
          'data[].currency.updatedAt': { from: 'items[].currency.changed', as: 'timestamp' },
          'data[].madeBy': { drop: true },
        },
      },
    },
  },
}
