import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/random-runs.ts'
import { errorPosition, isJson } from './support/scanned.ts'

const validText = fc.oneof(
  fc.json(),
  fc.json({ stringUnit: 'binary' }),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value, null, 2)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => `[${JSON.stringify(value)}, -0.0, 1E+2, 12e-5]`),
)
const intruder = fc.oneof(
  fc.constantFrom(...'{}[]:,"\\0123456789-+.eEtfnu /\t\n\u0000\u001f\ufeff\u00a0é'),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 2 }),
)

describe('for valid texts with changes', () => {
  it('the scanner agrees with JSON.parse, and no error is found before the change', () => {
    fc.assert(
      fc.property(validText, fc.nat(), fc.nat(2), intruder, (text, anywhere, removed, added) => {
        const at = anywhere % (text.length + 1)
        const changed = text.slice(0, at) + added + text.slice(at + removed)
        const position = errorPosition(changed)
        expect(position === undefined).toBe(isJson(changed))
        if (position === undefined) return
        // A backslash is invalid together with what follows it.
        const start = Buffer.byteLength(text.slice(0, at).toWellFormed())
        expect(position).toBeGreaterThanOrEqual(text[at - 1] === '\\' ? start - 1 : start)
        expect(position).toBeLessThanOrEqual(Buffer.byteLength(changed))
      }),
      { numRuns: runs(3_000) },
    )
  })

  it('a text that was cut short is invalid at its end', () => {
    fc.assert(
      fc.property(validText, fc.nat(), (text, anywhere) => {
        const cut = text
          .toWellFormed()
          .slice(0, anywhere % text.length)
          .toWellFormed()
        const position = errorPosition(cut)
        expect(position === undefined).toBe(isJson(cut))
        const end = Buffer.byteLength(cut)
        // An escape is invalid as a whole, from its backslash on.
        if (position !== undefined) expect(position).toBe(/(^|[^\\])(\\\\)*\\$/.test(cut) ? end - 1 : end)
      }),
      { numRuns: runs(1_000) },
    )
  })
})
