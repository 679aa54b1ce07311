import { describe, expect, it } from 'vitest'
import { addSeen, NOTHING_SEEN } from '../../../src/control-plane/usage/usage.ts'
import { formMarker, formOf, readMark } from '../../../src/control-plane/usage/value-forms.ts'
import { enumConverter } from '../../../src/mapping/converter.ts'
import type { Operation } from '../../../src/mapping/operation.ts'
import { calendarDate, integer, oneOf, positiveId } from '../../../src/mapping/reader.ts'
import { body, bodyParameters, query, segment } from '../../../src/mapping/request.ts'
import { converted, list, object, same, shape } from '../../../src/mapping/shape.ts'

describe('the form of a value has none of its digits and letters', () => {
  it.each([
    ['01.06.2025', '99.99.9999'],
    ['2025-6-1', '9999-9-9'],
    ['01/06/2025', '99/99/9999'],
    ['1 June 2025', '9 aaaa 9999'],
    ['1 Haziran 2025 Pazar', '9 aaaaaaa 9999 aaaaa'],
    ['today', 'aaaaa'],
    ['1748736000', '9999999999'],
    ['20250601', '99999999'],
    ['01.06.25', '99.99.99'],
    ['2025-02-31', '9999-99-99'],
    ['2025-06-01T00:00', '9999-99-99T99:99'],
    ['2025-06-01T00:00:00.123Z', '9999-99-99T99:99:99.999Z'],
    ['2025-06-01T00:00:00+03:00', '9999-99-99T99:99:99+99:99'],
    ['٢٠٢٥-٠٦', '9999-99'],
    ['Ayşe Yılmaz', 'aaaa aaaaaa'],
    ['İ̇ü', 'aaa'],
    ['5€\n☃', '9???'],
    ['9'.repeat(1_000), `${'9'.repeat(32)}…`],
    ['', ''],
  ])('%j is %j', (text, form) => {
    expect(formOf({ type: 'string', text })).toBe(form)
  })

  it.each([
    ['number', '1748736000.5', '9999999999.9 (number)'],
    ['number', '-1e5', '-9a9 (number)'],
    ['boolean', 'true', '(boolean)'],
    ['object', '{"date":"2025-06-01 00:00:00.000000"}', '(object)'],
    ['array', '[1]', '(array)'],
  ] as const)('of a %s: %s is %s', (type, text, form) => {
    expect(formOf({ type, text })).toBe(form)
  })
})

const operationOf = (request: Operation['request']) => ({ request }) as Operation

describe('values that a mapping does not read', () => {
  const mark = formMarker(
    operationOf(
      bodyParameters({
        'between.from': query(calendarDate(), 'from'),
        'between.local': query(calendarDate({ zone: 'Europe/Istanbul' }), 'local'),
        page: query(integer(1, 10)),
        id: segment(positiveId),
        sort: query(oneOf(['name'])),
        phone: query(integer(1, 10)),
      }),
    ),
  )

  it.each([
    ['between.from', '01.06.2025', 'between.from: refused: 99.99.9999'],
    ['between.from', 1_748_736_000, 'between.from: refused: 9999999999 (number)'],
    ['between.from', { date: 'x' }, 'between.from: refused: (object)'],
    ['between.from', '2025-06-01T00:00:00+03:00', 'between.from: sent as another day: 9999-99-99T99:99:99+99:99'],
    ['between.local', '2025-05-31T22:00:00Z', 'between.local: sent as another day: 9999-99-99T99:99:99Z'],
    ['page', 'x1', 'page: refused: a9'],
    ['id', '-7', 'id: refused: -9'],
    ['sort', 'size', 'sort: not sent: aaaa'],
    ['phone', '0532 111 22 33', 'phone: refused: (form not shown)'],
  ])('%s: %j', (path, value, text) => {
    expect(mark(path, value)).toBe(text)
    expect(readMark(text)).toMatchObject({ member: path })
  })

  it.each([
    ['between.from', '2025-06-01'],
    ['between.from', '2025-06-01T12:00:00+03:00'],
    ['between.from', '20250601T120000Z'],
    ['between.local', '2025-06-01T00:00:00+03:00'],
    ['page', 3],
    ['sort', 'name'],
    ['elsewhere', 'x'],
  ])('are not %s: %j', (path, value) => {
    expect(mark(path, value)).toBeUndefined()
  })

  it('are those that no converter of a body knows', () => {
    const state = converted(enumConverter({ open: 'PENDING' }))
    const inner = shape('Row', { state, name: same() })
    const marked = formMarker(operationOf(body(shape('Request', { state, one: object(inner), all: list(inner) }))))
    expect(marked('state', 'closed')).toBe('state: sent as written: aaaaaa')
    expect(marked('one.state', 'closed')).toBe('one.state: sent as written: aaaaaa')
    expect(marked('all[].state', 5)).toBe('all[].state: sent as written: 9 (number)')
    expect(marked('state', 'open')).toBeUndefined()
    expect(marked('one.name', 'x')).toBeUndefined()
  })
})

it('of the forms that clients send, 29 count each, and all others together', () => {
  const seen = Array.from({ length: 100 }, (_, at) => ({
    ...NOTHING_SEEN,
    calls: 1,
    forms: { [`a: refused: ${at}`]: 1 },
  }))
  const { forms = {} } = addSeen(...seen)
  expect(Object.keys(forms)).toHaveLength(30)
  expect(forms.other).toBe(71)
  expect(readMark('other')).toBeUndefined()
  expect(addSeen(NOTHING_SEEN, NOTHING_SEEN)).not.toHaveProperty('forms')
})
