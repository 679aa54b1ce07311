import { describe, expect, it } from 'vitest'
import { outlineOf } from '../control-plane/evidence/support/recorded-files.ts'

type Parameter = readonly [name: string, value?: string | null | number]

/** A HAR with one entry, as programs write it that list the parameters of the query. */
const har = (url: string, parameters: readonly Parameter[] | undefined): string => {
  const queryString = parameters?.map(([name, value]) => ({ name, ...(value !== undefined && { value }) }))
  const request = { method: 'GET', url, headers: [], cookies: [], queryString, headersSize: -1, bodySize: -1 }
  return JSON.stringify({ log: { version: '1.2', entries: [{ request, response: { status: 200 } }] } })
}
const CONTRADICTION = '1: request.url and request.queryString contradict each other'

describe('the query of an entry of a HAR', () => {
  it.each<readonly [string, string, readonly Parameter[], string]>([
    ['stands only in queryString', 'https://h/a', [['code', 'tr']], '/a?code=tr'],
    ['is empty in the URL', 'https://h/a?', [['code', 'tr']], '/a?code=tr'],
    [
      'has a repeated name',
      'https://h/a',
      [
        ['id', '2'],
        ['id', '1'],
      ],
      '/a?id=2&id=1',
    ],
    ['has an empty value', 'https://h/a', [['search', '']], '/a?search='],
    ['has a value of null', 'https://h/a', [['search', null]], '/a?search='],
    ['has a number', 'https://h/a', [['page', 2]], '/a?page=2'],
    ['has Turkish letters', 'https://h/a', [['search', 'Şığ']], '/a?search=%C5%9E%C4%B1%C4%9F'],
    ['has signs with a meaning in a URL', 'https://h/a', [['q', 'a&b=c+d e/?#']], '/a?q=a%26b%3Dc%2Bd%20e%2F%3F%23'],
    ['is encoded already', 'https://h/a', [['q', 'a%20b']], '/a?q=a%20b'],
    ['has a percent sign', 'https://h/a', [['q', '100 %']], '/a?q=100%20%25'],
    ['has brackets', 'https://h/a', [['ids[]', '1']], '/a?ids%5B%5D=1'],
    ['has a fragment behind it', 'https://h/a#top', [['x', '1']], '/a?x=1'],
  ])('is taken from queryString if it %s', async (_, url, parameters, path) => {
    expect(await outlineOf(har(url, parameters))).toEqual([`1: ${path}`])
  })

  it.each<readonly [string, string, readonly Parameter[] | undefined]>([
    ['alone', 'https://h/a?x=1', undefined],
    ['alone, with an empty list', 'https://h/a?x=1', []],
    [
      'in another order',
      'https://h/a?x=1&y=2&x=3',
      [
        ['y', '2'],
        ['x', '3'],
        ['x', '1'],
      ],
    ],
    ['decoded', 'https://h/a?q=%C5%9E%C4%B1%20%2B', [['q', 'Şı +']]],
    ['as it stands there', 'https://h/a?q=%C5%9E%20a', [['q', '%C5%9E%20a']]],
    ['with + for a space', 'https://h/a?q=a+b', [['q', 'a b']]],
    ['with + kept', 'https://h/a?q=a+b', [['q', 'a+b']]],
    ['with %20 for a space', 'https://h/a?q=a%20b', [['q', 'a+b']]],
    ['in lower-case escapes', 'https://h/a?q=%c5%9f', [['q', 'ş']]],
    ['with a name alone', 'https://h/a?flag&x=', [['flag', ''], ['x']]],
    ['with empty parts', 'https://h/a?&x=1&&', [['x', '1']]],
    ['with an equals sign in a value', 'https://h/a?x=a=b', [['x', 'a=b']]],
    ['with the fragment in the last value', 'https://h/a?x=1#top', [['x', '1#top']]],
    ['in ISO-8859-9, which nobody can decode', 'https://h/a?q=%DE', [['q', '\ufffd']]],
  ])('is the one of the URL if it is listed %s', async (_, url, parameters) => {
    const [, query] = /\?([^#]*)/.exec(url) ?? []
    expect(await outlineOf(har(url, parameters))).toEqual([`1: /a?${query}`])
  })

  it('is not what a program took from the fragment, which is never sent', async () => {
    expect(await outlineOf(har('https://h/a#/orders?x=1', [['x', '1']]))).toEqual(['1: /a'])
  })

  it.each<readonly [string, string, readonly Parameter[]]>([
    ['a value', 'https://h/a?x=1', [['x', '2']]],
    ['a name', 'https://h/a?x=1', [['y', '1']]],
    [
      'one more',
      'https://h/a?x=1',
      [
        ['x', '1'],
        ['y', '2'],
      ],
    ],
    ['one less', 'https://h/a?x=1&y=2', [['x', '1']]],
    ['one repeated more often', 'https://h/a?x=1&x=1', [['x', '1']]],
    ['a letter', 'https://h/a?q=%C5%9F', [['q', 's']]],
  ])('is unknown if URL and list differ in %s', async (_, url, parameters) => {
    expect(await outlineOf(har(url, parameters))).toEqual([CONTRADICTION])
  })
})
