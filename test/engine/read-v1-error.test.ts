import { describe, expect, it } from 'vitest'
import { readV1Error } from '../../src/engine/read-v1-error.ts'

/** Reads an error. One of more than 16 KiB is read piece by piece, and must read the same. */
function read(text: string) {
  const error = readV1Error(Buffer.from(text))
  expect(readV1Error(Buffer.from(text + ' '.repeat(16 * 1024)))).toEqual(error)
  return error
}
const unreadable = { code: undefined, message: undefined, errors: [], leftOut: 0, params: undefined, paramsLeftOut: 0 }

describe('an error of v1', () => {
  it('is read whole', () => {
    const errors = '[{"path":"items.0.id","message":"Geçersiz","x":1},{"path":"b"}]'
    expect(
      read(`{"success":false,"code":"A_B","message":"Hata","errors":${errors},"params":{"id":12345678901234567890}}`),
    ).toEqual({
      code: 'A_B',
      message: 'Hata',
      errors: [
        { path: 'items.0.id', message: 'Geçersiz' },
        { path: 'b', message: undefined },
      ],
      leftOut: 0,
      params: '{"id":12345678901234567890}',
      paramsLeftOut: 0,
    })
  })

  it('is read as far as possible', () => {
    expect(read('{"code":7,"message":" ","errors":"none","params":null}')).toEqual(unreadable)
    expect(read('{"code":null,"errors":[null,7,"x",[],{},{"path":1},{"path":"a","message":2}]}')).toEqual({
      ...unreadable,
      errors: [{ path: 'a', message: undefined }],
    })
  })

  it('has the last of duplicate members', () => {
    expect(read('{"code":"A","code":"B","message":"x","message":null}')).toEqual({ ...unreadable, code: 'B' })
  })

  it('keeps the digits of params, the last of two, however its name is written', () => {
    expect(read('{"params":{"a":1},"code":"A","par\\u0061ms":{"id":1.00, "b":[]}}')).toEqual({
      ...unreadable,
      code: 'A',
      params: '{"id":1.00, "b":[]}',
    })
    expect(read('{"params":{"a":1},"params":null}').params).toBeUndefined()
  })

  it.each(['', ' ', '<html>', '[]', '"x"', 'null', '7', '{', '{"code":"A"', '{"code":"A"}x', '{"code":"A","x":01}'])(
    'may be anything: %j',
    (text) => {
      expect(read(text)).toEqual(unreadable)
    },
  )

  it('may be deep', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(read(`{"code":"A","x":${deep}}`).code).toBe('A')
    expect(read(`{"code":"A","errors":[{"path":"a","x":${deep}}]}`).errors).toHaveLength(1)
  })
})
