import { describe, expect, it } from 'vitest'
import { convert } from '../../src/mapping/converter.ts'

describe('a conversion that is mistaken leaves the value as it is', () => {
  it.each([
    ['throws', (text: string) => String(BigInt(text) / 100n)],
    ['makes something that is no JSON', (text: string) => text.slice(1, -1)],
    ['makes nothing', () => ''],
  ])('when it %s', (_, conversion) => {
    expect(convert(conversion, '"soon"')).toBeUndefined()
  })
})
