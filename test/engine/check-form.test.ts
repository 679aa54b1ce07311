import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { checkForm } from '../../src/engine/compile/check-form.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { joined } from '../../src/mapping/filled-lines.ts'
import { bareList, type Operation, operation, post, record } from '../../src/mapping/operation.ts'
import { body } from '../../src/mapping/request.ts'
import { object, same, shape } from '../../src/mapping/shape.ts'

const nothing = shape('Nothing', {})
const sound = operation('made-up', {
  says: 'Made up.',
  legacy: post('/made/up'),
  v1: post('/api/v1/made-up'),
  request: body(nothing),
  response: record(nothing),
  effect: 'write',
  authorization: 'none',
})
/** Node.js runs TypeScript without checking types, so a mapping may hold anything. */
const problemsOf = (change: Readonly<Record<string, unknown>>): readonly string[] =>
  checkForm([{ ...sound, ...change } as Operation])
const answerWith = (member: unknown) => ({ response: record(shape('Thing', { plate: member as never })) })

describe('what no constructor made', () => {
  it('is in no shipped mapping', () => {
    expect(checkForm([sound, ...operations])).toEqual([])
  })

  it.each([
    ['a text', 'plateCode', 'the text "plateCode" is no constructor; write from("plateCode") for a member that'],
    ['a constructor that is not called', same, "the function same itself is no constructor's result; call it: same(…)"],
    ['a joined text of texts', joined(['a' as never]), "joined(…) takes a list of { path: '…' } and { text: '…' }"],
    ['null', null, 'null is no constructor; write a constructor such as same(), from(…)'],
    ['a number', 7, '7 is no constructor; write a constructor such as'],
    ['a list', [], 'a list is no constructor; write a constructor such as'],
    ['an object', {}, 'an object that no constructor made; write a constructor such as'],
  ])('is named by operation, part and member, with the remedy: %s in a shape', (_, member, says) => {
    const isNamed = [expect.stringContaining(`mappings/made-up: response: Thing, plate: ${says}`)]
    expect(problemsOf(answerWith(member))).toEqual(isNamed)
  })

  it('is found in a shape within another', () => {
    const inner = shape('Inner', { deep: 'text' as never })
    expect(problemsOf(answerWith(object(inner)))).toEqual([
      expect.stringMatching(
        /^mappings\/made-up: response: Thing, plate: Inner, deep: the text "text" is no constructor/,
      ),
    ])
  })

  it.each([
    ['no effect', { effect: undefined }, "effect: is missing; write 'read', 'calculation' or 'write'"],
    ['no description', { says: undefined }, 'says: is missing; write a sentence in quotes'],
    ['no authorization', { authorization: undefined }, "authorization: is missing; write 'token' or 'none'"],
    [
      'no shape',
      { response: bareList(undefined as never) },
      "response: the shape is missing; write shape('Name', { … })",
    ],
    [
      'a path in place of a route',
      { legacy: '/made/up' },
      `legacy: the text "/made/up" is no constructor; write get('/path') or post('/path')`,
    ],
    ['a text in place of a request', { request: 'all' }, 'request: the text "all" is no constructor; write body(…)'],
  ])('is named by operation and field: %s', (_, change, says) => {
    expect(problemsOf(change)).toEqual([expect.stringContaining(`mappings/made-up: ${says}`)])
  })

  it('is reported all at once, and nothing is served', () => {
    const wrong = [{ ...sound, effect: undefined, authorization: undefined }, 'auth'] as never
    expect(() => compileOperations(wrong)).toThrow(
      /mappings\/made-up: effect: is missing[\s\S]*mappings\/made-up: authorization: is missing[\s\S]*mappings\/index\.ts: entry 2 is the text "auth" is no constructor/,
    )
  })
})
