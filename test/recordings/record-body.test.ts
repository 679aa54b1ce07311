import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../control-plane/evidence/support/recorded-files.ts'
import { exchange, newDirectory, recorderTo } from '../control-plane/evidence/support/recording.ts'

const directory = newDirectory()
let files = 0
const FORM = 'application/x-www-form-urlencoded'

/** A call with this body, as it is recorded and as it is read back. */
async function recorded(body: string | Uint8Array, type: string | undefined, recordsBodies = true) {
  const file = join(directory, `${files++}.ndjson`)
  const recorder = await recorderTo(file)
  const headers = type === undefined ? {} : { 'content-type': type }
  await recorder.record(exchange({ recordsBodies, request: { method: 'POST', headers, body: Buffer.from(body) } }))
  await recorder.close()
  const text = readFileSync(file, 'utf8')
  const { request } = JSON.parse(text) as { readonly request: Readonly<Record<string, unknown>> }
  const [entry] = await entriesOf(text)
  return { text, request, entry }
}

describe('a form', () => {
  it('is recorded and replayed as it was written', async () => {
    const form = 'perPage=5&search=%C5%9Fey+x&ids[]=1&ids[]=2&empty='
    for (const type of [FORM, `${FORM}; charset=UTF-8`, 'Application/X-WWW-Form-UrlEncoded']) {
      const { request, entry } = await recorded(form, type)
      expect(request.form).toBe(form)
      expect(entry).toMatchObject({ body: form, headers: { 'content-type': type } })
    }
  })

  it('has pseudonyms in place of personal values, and tokens in place of secrets', async () => {
    const { text, entry } = await recorded('firstName=%C5%9Eule&address[phone]=5551234567&password=hush&page=1', FORM)
    expect(text).not.toMatch(/ule|5551234567|hush/)
    expect(entry?.body).toMatch(/^firstName=%C\S+&address\[phone\]=\d{10}&password=~[\w-]{22}&page=1$/)
  })

  it('may be empty', async () => {
    const { request, entry } = await recorded('', FORM)
    expect(request.form).toBe('')
    expect(entry).toMatchObject({ method: 'POST' })
    expect(entry).not.toHaveProperty('body')
  })

  it('is JSON if it is JSON, as curl sends it', async () => {
    expect((await recorded('{"page":1}', FORM)).request).toMatchObject({ body: { page: 1 } })
  })
})

describe('a body that is left out', () => {
  it.each<readonly [string, string | Uint8Array, string | undefined]>([
    [
      'a multipart form',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
      'multipart/form-data; boundary=x',
    ],
    ['not UTF-8', Buffer.from('{"search":"\xfe"}', 'latin1'), 'application/json; charset=iso-8859-9'],
    ['not UTF-8', Buffer.from('1f8b0800000000000003ab56', 'hex'), 'application/json'],
    ['neither JSON nor a form', '{"page":1,}', 'application/json'],
    ['neither JSON nor a form', '\ufeff{"page":1}', 'application/json'],
    ['neither JSON nor a form', '{"phone":"5551234567",}', FORM],
    ['neither JSON nor a form', 'ada@mail.test', FORM],
    ['neither JSON nor a form', 'a=1', undefined],
    ['neither JSON nor a form', '<order phone="5551234567"/>', 'text/xml'],
    ['a form with a document in it', 'data=%7B%22phone%22%3A%225551234567%22%7D', FORM],
  ])('is named in its line, and its call is not replayed: %s', async (why, body, type) => {
    const { request, entry, text } = await recorded(body, type)
    expect(request).toMatchObject({ bodyOmitted: why })
    expect(text).not.toMatch(/5551234567|ada@/)
    expect(entry).toEqual({
      line: 1,
      problem: `its body is not recorded: ${why}`,
      call: { method: 'POST', path: '/api/thing/list', why: `its body is not recorded: ${why}` },
    })
  })

  it('is no problem where it holds credentials: a login is not replayed anyway', async () => {
    const { text, entry } = await recorded('clientId=a&secretKey=hush', FORM, false)
    expect(text).not.toContain('hush')
    expect(entry).toMatchObject({ method: 'POST' })
    expect(entry).not.toHaveProperty('problem')
  })
})

describe('a query', () => {
  const queryOf = async (query: string) => {
    const file = join(directory, `${files++}.ndjson`)
    const recorder = await recorderTo(file)
    await recorder.record(exchange({ request: { method: 'GET', query, body: Buffer.alloc(0) } }))
    await recorder.close()
    const [entry] = await entriesOf(readFileSync(file))
    return entry?.problem ?? entry?.path
  }

  it('is replayed in its own encoding, unless a personal value was in another one', async () => {
    expect(await queryOf('search=%DEule')).toBe('/api/thing/list?search=%DEule')
    expect(await queryOf('firstName=%DEule')).toMatch(/^it holds U\+FFFD/)
  })
})

describe('an older recording', () => {
  const line = (method: string, type: string | undefined): string =>
    JSON.stringify({ v: 1, request: { method, path: '/a', headers: { 'Content-Type': type } } })

  it('does not tell a body that was left out from none, so its call is not replayed', async () => {
    for (const type of [FORM, 'multipart/form-data; boundary=x', 'text/xml']) {
      const [entry] = await entriesOf(line('POST', type))
      expect(entry?.problem).toBe(
        'its body is not in the recording, which is older and leaves out bodies that are not JSON',
      )
    }
  })

  it('has no body where its type is JSON or unknown, or its method has none', async () => {
    for (const one of [line('POST', 'application/json'), line('POST', undefined), line('GET', FORM)]) {
      expect(await entriesOf(one)).toMatchObject([{ path: '/a' }])
    }
  })

  it('in another encoding still tells which call it was', async () => {
    const text = '{"v":1,"request":{"method":"POST","path":"/a","body":{"search":"\xfe"}}}'
    expect(await entriesOf(Buffer.from(text, 'latin1'))).toMatchObject([
      { problem: 'its line is not UTF-8', call: { method: 'POST', path: '/a' } },
    ])
  })
})
