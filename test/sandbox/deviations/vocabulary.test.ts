import { describe, expect, it } from 'vitest'
import { type BothSides, deviating, type Row } from './deviating-sandbox.ts'

/** Each word of the vocabulary at a member that the contract does not have: its line, and what legacy shows for v1's row. */
const words: Readonly<Record<string, { line: (v1: string) => Row; legacy: (row: Row) => unknown; type?: string }>> = {
  from: { line: (v1) => ({ from: `${v1}.aFrom` }), legacy: ({ aFrom }) => aFrom, type: 'string' },
  isText: {
    line: (v1) => ({ from: `${v1}.aString`, as: 'string' }),
    legacy: ({ aString }) => `${aString}`,
    type: 'number',
  },
  isNumber: {
    line: (v1) => ({ from: `${v1}.aNumber`, as: 'number' }),
    legacy: ({ aNumber }) => Number(aNumber),
    type: 'string',
  },
  flag: { line: (v1) => ({ from: `${v1}.aFlag`, as: '0/1' }), legacy: ({ aFlag }) => (aFlag ? 1 : 0), type: 'boolean' },
  timestamp: {
    line: (v1) => ({ from: `${v1}.aTime`, as: 'timestamp' }),
    legacy: ({ aTime }) => String(aTime).replace('.000Z', '+00:00'),
    type: 'string',
  },
  date: {
    line: (v1) => ({ from: `${v1}.aDate`, as: 'date' }),
    legacy: ({ aDate }) => String(aDate).split('T')[0],
    type: 'string',
  },
  epoch: {
    line: (v1) => ({ from: `${v1}.anEpoch`, as: 'epoch' }),
    legacy: ({ anEpoch }) => Date.parse(String(anEpoch)) / 1000,
    type: 'string',
  },
  upper: {
    line: (v1) => ({ from: `${v1}.anUpper`, as: 'upper' }),
    legacy: ({ anUpper }) => String(anUpper).toUpperCase(),
    type: 'string',
  },
  lower: {
    line: (v1) => ({ from: `${v1}.aLower`, as: 'lower' }),
    legacy: ({ aLower }) => String(aLower).toLowerCase(),
    type: 'string',
  },
  scale: {
    line: (v1) => ({ from: `${v1}.minorUnits`, scale: 2 }),
    legacy: ({ minorUnits }) => Number(minorUnits) / 100,
    type: 'number',
  },
  enum: {
    line: (v1) => ({ from: `${v1}.aState`, enum: { open: 'ACTIVE', closed: 'CLOSED' } }),
    legacy: ({ aState }) => ({ ACTIVE: 'open', CLOSED: 'closed' })[String(aState)],
    type: 'string',
  },
  pairs: {
    line: (v1) => ({
      from: `${v1}.level`,
      enum: [
        [1, 'HIGH'],
        [0, 'LOW'],
      ],
    }),
    legacy: ({ level }) => ({ HIGH: 1, LOW: 0 })[String(level)],
    type: 'string',
  },
  nullShown: { line: (v1) => ({ from: `${v1}.perhaps`, absent: 'null' }), legacy: ({ perhaps = null }) => perhaps },
  missingShown: {
    line: (v1) => ({ from: `${v1}.orNull`, absent: 'missing' }),
    legacy: ({ orNull }) => orNull ?? undefined,
  },
  joined: {
    line: (v1) => ({ join: [`${v1}.first`, ' - ', `${v1}.second`, { text: `${v1}.third` }] }),
    legacy: ({ first, second, v1 }) => `${first} - ${second}${v1}.third`,
  },
  constant: { line: () => ({ always: { a: 1 } }), legacy: () => ({ a: 1 }) },
  gone: { line: () => ({ lost: 'v1 does not know it' }), legacy: () => expect.any(String) },
  added: { line: () => ({ drop: true }), legacy: () => undefined },
  'nested.member': {
    line: (v1) => ({ from: `${v1}.flatMember` }),
    legacy: ({ flatMember }) => flatMember,
    type: 'string',
  },
  flat: { line: (v1) => ({ from: `${v1}.deep.member` }), legacy: ({ deep }) => (deep as Row).member },
}

const places = {
  list: { operation: 'city-list', legacy: '[].', v1: 'items[]', rows: 81 },
  page: { operation: 'invoice-list', legacy: 'data[].', v1: 'items[]', rows: 25 },
  price: { operation: 'price', legacy: '[].', v1: 'items[]', rows: 4 },
  record: { operation: 'document', legacy: '', v1: 'data', rows: 1 },
} as const

const at = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Row)[name], row)

describe.each(Object.entries(places))('over a %s', (place, { operation, legacy: root, v1, rows }) => {
  const lines = Object.fromEntries(Object.entries(words).map(([path, { line }]) => [root + path, line(v1)]))
  const read = async (): Promise<BothSides> => {
    const sandbox = await deviating({ [operation]: { response: lines } })
    return sandbox[place as keyof typeof places]()
  }

  it('legacy shows of v1 what each line says, and both keep what the contract has', async () => {
    const sides = await read()
    const untouched = await (await deviating({}))[place as keyof typeof places]()
    expect(sides.v1).toHaveLength(rows)
    for (const [index, row] of sides.v1.entries()) {
      const shown = sides.legacy[index] ?? {}
      for (const [path, { legacy, type }] of Object.entries(words)) {
        expect(at(shown, path), path).toEqual(legacy({ ...row, v1 }))
        if (type !== undefined && path !== 'nested.member') {
          const name = String(words[path]?.line('').from ?? '').slice(1)
          expect(typeof row[name], path).toBe(type)
        }
      }
      expect(row).toMatchObject(untouched.v1[index] ?? {})
      expect(shown).toMatchObject(untouched.legacy[index] ?? {})
      expect(row).toHaveProperty('added')
      for (const only of ['gone', 'constant', 'joined', 'nested']) expect(row).not.toHaveProperty([only])
      for (const only of ['aFrom', 'aState', 'deep', 'first', 'added']) expect(shown).not.toHaveProperty([only])
    }
  })

  it('values that are made up are the same in each call, and differ from row to row', async () => {
    const { v1 } = await read()
    expect((await read()).v1).toEqual(v1)
    for (const name of ['aFrom', 'aString', 'aNumber', 'aTime', 'minorUnits', 'first']) {
      expect(new Set(v1.map((row) => row[name])).size, name).toBeGreaterThanOrEqual(Math.ceil(rows * 0.9))
    }
    if (rows < 25) return
    for (const name of ['aFlag', 'aState', 'level']) expect(new Set(v1.map((row) => row[name])).size, name).toBe(2)
    expect(v1.filter((row) => 'perhaps' in row).length).toBeGreaterThan(rows / 3)
    expect(v1.filter((row) => !('perhaps' in row)).length).toBeGreaterThan(2)
    expect(v1.filter((row) => row.orNull === null).length).toBeGreaterThan(2)
  })
})
