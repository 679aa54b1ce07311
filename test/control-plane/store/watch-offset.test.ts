import { expect, it } from 'vitest'
import { watchOffset } from '../../../src/control-plane/store/watch-offset.ts'

/** What a watch logs while it is fed with offsets; ms. */
function logged(...offsets: readonly number[]): readonly string[] {
  const lines: string[] = []
  const line = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  const watch = watchOffset({ warn: line('warn'), info: line('info') } as never)
  for (const offset of offsets) watch.measured(offset)
  return lines
}

it('a clock that is off by more than 2 s is reported once when that begins, and once when it is over', () => {
  expect(logged(0, 2_000, 2_001, 60_000, 2_001, 400, 12)).toEqual([
    "warn: the clock is off by more than 2 s: 2.0 s ahead of the database's",
    "info: the clock agrees with the database's again",
  ])
})

it('a clock that is behind is reported as well, and so is one that is off again', () => {
  expect(logged(-3_250, 0, -7_200_000)).toEqual([
    "warn: the clock is off by more than 2 s: 3.3 s behind the database's",
    "info: the clock agrees with the database's again",
    "warn: the clock is off by more than 2 s: 2 hours behind the database's",
  ])
})

it('a clock at the limit is not told again and again, although what is measured varies', () => {
  expect(logged(2_050, 1_980, 2_040, -1_990, 2_010)).toHaveLength(1)
})

it('a clock that is right is not told', () => {
  expect(logged(0, 1_999, -2_000, 350)).toEqual([])
})
