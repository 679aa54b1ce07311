import { describe, expect, it } from 'vitest'
import { recordFinder, requestRowFinder } from '../../src/engine/json-members.ts'

const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString()

describe('a value of a record of a list', () => {
  const find = recordFinder(
    Buffer.from(
      ' [ {"code":"USD","at":1.50}, {"at":[1],"code":"EU\\u0052","x":{}}, 7, {"code":5,"at":2}, {"code":"TRY"} ]',
    ),
  )

  it.each([
    ['USD', '1.50'],
    ['EUR', '[1]'],
    ['TRY', undefined],
    ['5', undefined],
    ['GBP', undefined],
  ])('of %s is %s', (key, value) => {
    expect(text(find('code', key, 'at'))).toBe(value)
  })

  it('is missing when there is no list', () => {
    expect(recordFinder(Buffer.from('{"code":"USD"}'))('code', 'USD', 'code')).toBeUndefined()
  })
})

describe('a value of a row of a request', () => {
  const find = requestRowFinder(Buffer.from('{"n":1,"rows":[{"id":7,"id":8},{"x":1}],"other":{"id":1}}'))

  it('comes from the row at the same position, and of duplicates the last', () => {
    expect(text(find('rows', 'id', 0, 2))).toBe('8')
    expect(find('rows', 'id', 1, 2)).toBeUndefined()
    expect(text(find('rows', 'x', 1, 2))).toBe('1')
  })

  it('is missing when the numbers of rows differ, or there are no rows', () => {
    expect(find('rows', 'id', 0, 1)).toBeUndefined()
    expect(find('other', 'id', 0, 1)).toBeUndefined()
    expect(find('none', 'id', 0, 0)).toBeUndefined()
  })
})
