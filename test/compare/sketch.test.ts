import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { SKETCH_SIZE, Sketch } from '../../src/compare/tally/sketch.ts'

const hashOf = (text: string | number): number => createHash('sha256').update(String(text)).digest().readUIntBE(0, 6)

const sketchOf = (things: Iterable<number>): Sketch => {
  const sketch = new Sketch()
  for (const thing of things) sketch.add(hashOf(thing))
  return sketch
}

it('counts distinct values, regardless of how often each comes', () => {
  const sketch = sketchOf([...Array(3_000).keys(), ...Array(3_000).keys()])
  expect(sketch.count()).toEqual({ distinct: 3_000, isEstimated: false })
})

it.each([5_000, 50_000, 400_000])('estimates %i things within a twentieth', (things) => {
  const { distinct, isEstimated } = sketchOf(Array(things).keys()).count()
  expect(isEstimated).toBe(true)
  expect(distinct / things).toBeGreaterThan(0.95)
  expect(distinct / things).toBeLessThan(1.05)
})

it('is the same for any order and any split into parts', () => {
  const whole = sketchOf(Array(20_000).keys())
  const merged = new Sketch()
  const parts = [0, 1, 2].map((part) => sketchOf(Array.from(Array(20_000).keys()).filter((at) => at % 3 === part)))
  for (const part of parts.toReversed()) for (const hash of part.hashes()) merged.add(hash)
  expect(merged.hashes()).toEqual(whole.hashes())
  expect(merged.hashes()).toHaveLength(SKETCH_SIZE)
})
