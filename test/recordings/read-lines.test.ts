import { describe, expect, it } from 'vitest'
import { type Line, readLines } from '../../src/recordings/read-ndjson.ts'

async function linesOf(chunks: readonly string[], maxBytes = 100): Promise<readonly Line[]> {
  const lines: Line[] = []
  const source = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  for await (const line of readLines(source(), maxBytes)) lines.push(line)
  return lines
}

describe('lines', () => {
  it('are the same regardless of where chunks end', async () => {
    const text = 'a\n\nlong line\r\nş'
    const whole = await linesOf([text])
    expect(whole.map(({ number, bytes, isOpen }) => [number, bytes?.toString(), isOpen])).toEqual([
      [1, 'a', false],
      [2, '', false],
      [3, 'long line\r', false],
      [4, 'ş', true],
    ])
    for (let at = 0; at <= text.length; at++) {
      expect(await linesOf([text.slice(0, at), '', text.slice(at)])).toEqual(whole)
    }
  })

  it('are dropped if they are longer than allowed, and only then', async () => {
    for (const chunks of [['12345\n123456\n1'], ['123', '45\n12', '34', '56', '\n1']]) {
      const lines = await linesOf(chunks, 5)
      expect(lines.map(({ number, bytes }) => [number, bytes?.toString()])).toEqual([
        [1, '12345'],
        [2, undefined],
        [3, '1'],
      ])
    }
  })
})
