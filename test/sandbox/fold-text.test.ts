import { expect, test } from 'vitest'
import { foldText } from '../../src/sandbox/store/fold-text.ts'

test.each(['istanbul', 'İSTANBUL', 'ISTANBUL', 'ıstanbul', 'İstanbul', 'I\u0307stanbul'])('%s is istanbul', (text) => {
  expect(foldText(text)).toBe('istanbul')
})

test.each([
  ['ŞIRNAK', 'şirnak'],
  ['Ğ Ü Ö Ç', 'ğ ü ö ç'],
  ['Åland', 'åland'],
  ['Côte d’Ivoire', "côte d'ivoire"],
  ['100% _x_', '100% _x_'],
  ['H\u0331olon', '\u1E96olon'],
])('%s keeps its letters and loses its case', (text, folded) => {
  expect(foldText(text)).toBe(folded)
  expect(foldText(folded)).toBe(folded)
})
