import { expect, test } from 'vitest'
import { Bag } from '../../../src/data-plane/http/connection-lists.ts'

const sorted = (bag: Bag<string>): readonly string[] => [...bag].sort()

test('a bag holds each item until it is removed, in any order', () => {
  const bag = new Bag<string>()
  const takeA = bag.add('a')
  const takeB = bag.add('b')
  const takeC = bag.add('c')
  const takeD = bag.add('d')
  expect(sorted(bag)).toEqual(['a', 'b', 'c', 'd'])
  takeB()
  expect(sorted(bag)).toEqual(['a', 'c', 'd'])
  takeD()
  expect(sorted(bag)).toEqual(['a', 'c'])
  bag.add('e')
  takeA()
  expect(sorted(bag)).toEqual(['c', 'e'])
  takeC()
  expect(sorted(bag)).toEqual(['e'])
})

test('a bag holds an item twice that is added twice', () => {
  const bag = new Bag<string>()
  const take = bag.add('a')
  bag.add('a')
  take()
  expect(sorted(bag)).toEqual(['a'])
})

test('a bag is empty again after everything has been removed', () => {
  const bag = new Bag<string>()
  const takes = Array.from({ length: 100 }, (_, index) => bag.add(String(index)))
  for (const take of takes) take()
  expect([...bag]).toEqual([])
})
