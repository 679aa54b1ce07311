import { describe, expect, it } from 'vitest'
import { JsonError, scanValue, viewOf } from '../../src/engine/json/scan-json.ts'
import { keyStandsAt, readyKey } from '../../src/engine/rewrite/key.ts'
import { RunWriter } from '../../src/engine/rewrite/run-writer.ts'
import { from, same, shape, timestamp } from '../../src/mapping/shape.ts'
import { toLegacy } from './support/rewriting.ts'

/** Texts are read and copied in words of four bytes. No result may depend on where a word ends. */
const LENGTHS = Array.from({ length: 41 }, (_, length) => length)

/** The text between other bytes, at every offset within a word. */
function placed(text: string, by: number): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.alloc(by, '"'), bytes, Buffer.from('"\\"\u0000{"')]).subarray(by, by + bytes.length)
}

const scanned = (json: Buffer): number => scanValue(viewOf(json), 0, json.length)

describe('a string', () => {
  it.each(LENGTHS)('of %i bytes ends at its quote', (length) => {
    for (const by of [0, 1, 2, 3]) {
      for (const letter of ['a', '!', '#', ' ', '\u007f', ']', '[']) {
        expect(scanned(placed(`"${letter.repeat(length)}","x":"\\"`, by))).toBe(length + 2)
      }
      expect(scanned(placed(`"${'é'.repeat(length)}" `, by))).toBe(2 * length + 2)
      expect(scanned(placed(`"${'a'.repeat(length)}\\"${'ÿ'.repeat(length)}"`, by))).toBe(3 * length + 4)
    }
  })

  it('is refused with a control character at any place, with an invalid escape, or without its end', () => {
    const position = (json: Buffer): number | undefined => {
      try {
        scanned(json)
        return undefined
      } catch (error) {
        return (error as JsonError).position
      }
    }
    for (const at of LENGTHS.slice(0, 12)) {
      for (const behind of [0, 1, 2, 3, 4, 5]) {
        const with_ = (text: string): Buffer => placed(`"${'a'.repeat(at)}${text}${'é'.repeat(behind)}"`, at & 3)
        for (let code = 0; code < 0x20; code++) expect(position(with_(String.fromCharCode(code)))).toBe(at + 1)
        expect(position(with_('\\x'))).toBe(at + 1)
        expect(position(placed(`"${'a'.repeat(at)}`, behind))).toBe(at + 1)
      }
    }
  })
})

describe('a key', () => {
  it.each(LENGTHS)('of %i letters is compared by every byte', (length) => {
    const name = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'.slice(0, length)
    const key = readyKey(name)
    for (const by of [0, 1, 2, 3]) {
      const json = placed(`"${name}":1`, by)
      // An empty name is found differently.
      expect(keyStandsAt(key, viewOf(json), 0, json.length)).toBe(length > 0)
      for (let at = 0; at < json.length - 1; at++) {
        const other = placed(`"${name}":1`, by)
        other[at] = (other[at] as number) ^ 1
        expect(keyStandsAt(key, viewOf(other), 0, other.length)).toBe(false)
        expect(keyStandsAt(key, viewOf(json.subarray(0, at)), 0, at)).toBe(false)
      }
    }
    expect(toLegacy(shape('S', { z: from(name) }), `{"${name}":1,"x":2}`)).toBe('{"z":1,"x":2}')
  })
})

describe('a run', () => {
  it('of any length is copied unchanged', () => {
    const source = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 7) & 0xff))
    for (let length = 0; length < 400; length++) {
      for (const start of [0, 1, 2, 3, 600 - length]) {
        const out = new RunWriter(source, viewOf(source), 0)
        for (let i = 0; i < (length & 3); i++) out.byte(i)
        out.resume(start)
        out.cut(start + length)
        out.byte(0xff)
        const written = out.finish()
        expect(Buffer.compare(written.subarray(length & 3, -1), source.subarray(start, start + length))).toBe(0)
        expect(written.length).toBe((length & 3) + length + 1)
      }
    }
  })
})

describe('a timestamp of the usual length', () => {
  const record = shape('S', { at: timestamp(), x: same() })

  it('is not recognized at the start of a longer string, or of a text that is cut short', () => {
    for (const text of ['2025-01-01T10:24:19.000Z\\"', '2025-01-01T10:24:19.000Z ', '2025-01-01T10:24:19.0000']) {
      expect(toLegacy(record, `{"at":"${text}","x":1}`)).toBe(`{"at":"${text}","x":1}`)
    }
    expect(() => toLegacy(record, '{"at":"2025-01-01T10:24:19.000Z')).toThrow(JsonError)
    expect(() => toLegacy(record, '{"at":"2025-01-01T10:24:19.000Z"')).toThrow(JsonError)
  })

  it('may be shorter or longer', () => {
    expect(toLegacy(record, '{"at":"2025-01-01T10:24:19Z","x":1}')).toBe('{"at":"2025-01-01T10:24:19+00:00","x":1}')
    expect(toLegacy(record, '{"at":"2025-01-01T10:24:19.000000Z"}')).toBe('{"at":"2025-01-01T10:24:19+00:00"}')
  })
})
