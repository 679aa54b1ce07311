import { describe, expect, it } from 'vitest'
import { mappingHash } from '../../src/control-plane/evidence/lineage.ts'
import { calendarDate } from '../../src/mapping/reader.ts'

const read = (text: string) => calendarDate().read({ type: 'string', text })

describe('a date is sent unchanged', () => {
  it.each(['2025-01-01', '2025-12-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s', (date) => {
    expect(read(date)).toEqual({ send: date })
  })
})

describe('a timestamp is sent as its date in UTC', () => {
  it.each([
    ['2025-01-01T10:24:19.000Z', '2025-01-01'],
    ['2025-01-01T10:24:19+00:00', '2025-01-01'],
    ['2025-01-01T10:24:19', '2025-01-01'],
    ['2025-01-01T10:24', '2025-01-01'],
    ['2025-01-01 10:24:19', '2025-01-01'],
    ['2025-01-01 23:59:59+00:00', '2025-01-01'],
    ['2025-01-01 10:24:19 +03:00', '2025-01-01'],
    ['2025-01-01t10:24:19z', '2025-01-01'],
    ['2025-01-01T102419Z', '2025-01-01'],
    ['2025-01-01T10:24:19,5Z', '2025-01-01'],
    ['2025-01-01T10:24:19.123456789Z', '2025-01-01'],
    ['2025-01-01T10', '2025-01-01'],
    ['20250101T102419Z', '2025-01-01'],
    ['20250101T013000+0300', '2024-12-31'],
    ['2016-12-31T23:59:60Z', '2016-12-31'],
    ['2016-12-31T23:59:60.5Z', '2016-12-31'],
  ])('%s is %s', (text, date) => {
    expect(read(text)).toEqual({ send: date })
  })

  it.each([
    ['2025-06-15T02:59:59+03:00', '2025-06-14'],
    ['2025-06-15T03:00:00+03:00', '2025-06-15'],
    ['2025-06-15T00:30:00+0300', '2025-06-14'],
    ['2025-06-15T00:30:00+03', '2025-06-14'],
    ['2025-06-15 00:30:00+03', '2025-06-14'],
    ['2025-06-15T00:30+03:00', '2025-06-14'],
    ['2025-06-15T05:29:59+05:30', '2025-06-14'],
    ['2025-06-15T05:30:00+0530', '2025-06-15'],
    ['2025-06-15T21:00:00-03:00', '2025-06-16'],
    ['2025-06-15T20:59:59.999-03', '2025-06-15'],
    ['2025-06-15T12:00:00-0000', '2025-06-15'],
    ['2025-06-15T12:00:00+14:00', '2025-06-14'],
  ])('%s is %s, because of its offset', (text, date) => {
    expect(read(text)).toEqual({ send: date })
  })

  it.each([
    ['2025-01-01T00:00:00+03:00', '2024-12-31'],
    ['2024-12-31T23:30:00-01:00', '2025-01-01'],
    ['2024-03-01T01:00:00+03:00', '2024-02-29'],
    ['2025-03-01T01:00:00+03:00', '2025-02-28'],
    ['2024-02-28T23:00:00-02:00', '2024-02-29'],
    ['2025-02-28T23:00:00-02:00', '2025-03-01'],
    ['2024-12-31T24:00:00Z', '2025-01-01'],
  ])('%s is %s, across the end of a month or year', (text, date) => {
    expect(read(text)).toEqual({ send: date })
  })
})

describe('anything else is refused', () => {
  it.each([
    ...[
      '2025-02-29',
      '1900-02-29',
      '2025-02-30T10:00:00Z',
      '2025-04-31',
      '2025-13-01',
      '2025-00-10',
      '2025-01-00',
      '2025-01-32',
    ],
    ...[
      '01.02.2025',
      '2025/01/01',
      '2025-1-1',
      '25-01-01',
      '20250101',
      '2025-W01',
      '2025-001',
      '2025',
      '2025-01',
      '1735727059',
    ],
    ...['2025-01-01T', '2025-01-01T10:24:', '2025-01-01T25:00:00Z', '2025-01-01T10:60:00Z', '2025-01-01T10:00:61Z'],
    ...[
      '2025-01-01T24:00:01Z',
      '2025-01-01T10:24:19+3',
      '2025-01-01T10:24:19+03:',
      '2025-01-01T10:24:19+25:00',
      '2025-01-01T10:24:19+03:60',
    ],
    ...[
      '2025-01-01T10:24:19.Z',
      '2025-01-01T10:24:19 UTC',
      '2025-01-01_10:24:19',
      '2025-01-01  10:24:19',
      '2025-01-01Z',
    ],
    ...[
      ' 2025-01-01',
      '2025-01-01 ',
      '2025-01-01\n',
      '\n2025-01-01',
      '2025-01-01T10:24:19Z\n',
      '٢٠٢٥-٠١-٠١',
      'today',
      'now',
      '-1 day',
      'x',
    ],
    ...[
      '+002025-01-01',
      '-2025-01-01',
      '0000-01-01T00:00:00+03:00',
      '9999-12-31T23:00:00-03:00',
      '2025-01-01&x=1',
      '2025-01-01T10:24:19ZZ',
    ],
  ])('%j', (text) => {
    expect(read(text)).toEqual({ refuse: 'not-a-date' })
  })

  it.each(['number', 'boolean', 'object', 'array'] as const)('a %s', (type) => {
    expect(calendarDate().read({ type, text: '2025-01-01' })).toEqual({ refuse: 'not-a-date' })
  })
})

describe('in a zone, its calendar counts', () => {
  const dateIn = (zone: string, text: string) => calendarDate({ zone }).read({ type: 'string', text })

  it.each([
    ['Europe/Istanbul', '2025-06-01T00:00:00+03:00', '2025-06-01'],
    ['Europe/Istanbul', '2025-05-31T21:00:00Z', '2025-06-01'],
    ['Europe/Istanbul', '2025-05-31T20:59:59.999Z', '2025-05-31'],
    ['Europe/Istanbul', '20250531T210000Z', '2025-06-01'],
    // Summer time until 2016: two hours in January, three in July.
    ['Europe/Istanbul', '2015-01-01T21:59:59Z', '2015-01-01'],
    ['Europe/Istanbul', '2015-01-01T22:00:00Z', '2015-01-02'],
    ['Europe/Istanbul', '2015-07-01T21:00:00Z', '2015-07-02'],
    // The nights in which Berlin changes its clocks.
    ['Europe/Berlin', '2025-03-29T23:00:00Z', '2025-03-30'],
    ['Europe/Berlin', '2025-03-30T22:00:00Z', '2025-03-31'],
    ['Europe/Berlin', '2025-10-26T22:59:59Z', '2025-10-26'],
    ['Europe/Berlin', '2025-10-26T23:00:00Z', '2025-10-27'],
    ['America/New_York', '2025-06-01T03:59:59Z', '2025-05-31'],
    ['Pacific/Kiritimati', '2024-12-31T10:00:00Z', '2025-01-01'],
    ['Asia/Kathmandu', '2025-06-01T18:15:00Z', '2025-06-02'],
    ['UTC', '2025-06-01T00:00:00+03:00', '2025-05-31'],
    // Without an offset it is local time; a date has no time at all.
    ['Europe/Istanbul', '2025-06-01T00:00:00', '2025-06-01'],
    ['America/New_York', '2025-06-01 23:30', '2025-06-01'],
    ['Europe/Istanbul', '2025-06-01', '2025-06-01'],
  ])('%s: %s is %s', (zone, text, date) => {
    expect(dateIn(zone, text)).toEqual({ send: date })
  })

  it.each(['01.06.2025', '2025-02-30T00:00:00+03:00', '2025-06-01T25:00:00+03:00', 'today'])(
    '%s is refused',
    (text) => {
      expect(dateIn('Europe/Istanbul', text)).toEqual({ refuse: 'not-a-date' })
    },
  )

  it('which its description names', () => {
    expect(calendarDate({ zone: 'Europe/Istanbul' }).says).toContain('in Europe/Istanbul')
    expect(calendarDate().says).toContain('in UTC')
  })

  it('and makes another version of a mapping, as the hash of UTC stays', () => {
    const hashOf = (reader: unknown) => mappingHash({ request: reader } as never)
    const { says, accepts, read } = calendarDate()
    expect(hashOf(calendarDate())).toBe(hashOf({ says, accepts, read }))
    expect(hashOf(calendarDate({ zone: 'Europe/Istanbul' }))).not.toBe(hashOf(calendarDate()))
  })
})
