import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  addClients,
  CLIENTS_KEPT,
  countClients,
  SKETCH_SIZE,
  Sketch,
} from '../../../src/control-plane/evidence/tally/sketch.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6)

/** Like a hash of 48 bits, and quicker. */
function mixed(thing: number): number {
  const random = seededRandom(thing)
  return Math.floor(random() * 2 ** 24) * 2 ** 24 + Math.floor(random() * 2 ** 24)
}

const sketchOf = (things: Iterable<number>): Sketch => {
  const sketch = new Sketch()
  for (const thing of things) sketch.add(mixed(thing))
  return sketch
}

it('counts distinct values, regardless of how often each comes', () => {
  const sketch = sketchOf([...Array(3_000).keys(), ...Array(3_000).keys()])
  expect(sketch.count()).toEqual({ distinct: 3_000, estimated: false })
})

it.each([5_000, 50_000, 400_000])('estimates %i things within a twentieth', (things) => {
  const { distinct, estimated } = sketchOf(Array(things).keys()).count()
  expect(estimated).toBe(true)
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

describe('the clients that see a difference, beside all clients of the operation', () => {
  const clientsOf = (many: number, name = 'client'): readonly number[] =>
    Array.from({ length: many }, (_, at) => hashOf(`${name} ${at}`) % 2 ** 32).sort((a, b) => a - b)
  const sketch = (clients: readonly number[]) => addClients([], clients)

  it.each([1, CLIENTS_KEPT - 1])('are counted exactly if there are %i', (many) => {
    const clients = clientsOf(many)
    expect(countClients(sketch(clients), clients)).toEqual({ distinct: many, estimated: false })
  })

  it.each([CLIENTS_KEPT + 1, 40, 45, 300, 999])('are as many as there are, if all %i see it', (many) => {
    const clients = clientsOf(many)
    expect(countClients(sketch(clients), clients)).toEqual({ distinct: many, estimated: true })
  })

  it('are exact if the operation has no others', () => {
    const clients = clientsOf(CLIENTS_KEPT)
    expect(countClients(sketch(clients), clients)).toEqual({ distinct: CLIENTS_KEPT, estimated: false })
  })

  it('are never more than there are', () => {
    const clients = clientsOf(60)
    for (let seen = CLIENTS_KEPT; seen <= 60; seen++) {
      const { distinct } = countClients(sketch(clients.slice(60 - seen)), clients)
      expect(distinct).toBeGreaterThanOrEqual(CLIENTS_KEPT)
      expect(distinct).toBeLessThanOrEqual(60)
    }
  })

  it('are estimated by themselves if not all of the operation are known', () => {
    const { distinct, estimated } = countClients(sketch(clientsOf(2_000)))
    expect(estimated).toBe(true)
    expect(distinct / 2_000).toBeCloseTo(1, 0)
    expect(countClients(sketch(clientsOf(200)), clientsOf(50, 'another')).estimated).toBe(true)
  })
})
