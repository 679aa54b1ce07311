import { describe, expect, it } from 'vitest'
import { convert } from '../../src/mapping/converter.ts'

describe('a faulty conversion leaves the value unchanged', () => {
  it.each([
    ['throws', (text: string) => String(BigInt(text) / 100n)],
    ['makes something that is not JSON', (text: string) => text.slice(1, -1)],
    ['makes nothing', () => ''],
  ])('when it %s', (_, conversion) => {
    expect(convert(conversion, '"soon"')).toBeUndefined()
  })
})
