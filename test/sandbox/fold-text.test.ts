import { expect, test } from 'vitest'
import { foldText } from '../../src/sandbox/store/fold-text.ts'

test('folded text has no case, and the same i for every i', () => {
  for (const text of ['istanbul', 'İSTANBUL', 'ISTANBUL', 'ıstanbul', 'I\u0307stanbul']) {
    expect(foldText(text), text).toBe('istanbul')
  }
  for (const [text, folded] of [
    ['ŞIRNAK', 'şirnak'],
    ['Åland', 'åland'],
    ['Côte d’Ivoire', "côte d'ivoire"],
    ['100% _x_', '100% _x_'],
    ['H\u0331olon', '\u1E96olon'],
  ] as const) {
    expect(foldText(text)).toBe(folded)
    expect(foldText(folded)).toBe(folded)
  }
})
