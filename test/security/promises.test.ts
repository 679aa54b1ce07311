import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const text = readFileSync('SECURITY.md', 'utf8')
/** Each link's text, its target, and the part of a test's name that follows it. */
const links = [...text.matchAll(/\[([^\]]+)\]\(([^)#]+)\)(?: "([^"]+)")?/g)].map(
  ([, shown = '', path = '', name = '']) => ({ shown, path, name }),
)
const promises = text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Promise|Limit) \|/.test(line))

// `docs.test.ts` checks that the linked files exist.
describe('SECURITY.md', () => {
  test('shows for every link the end of its path, so that no link misleads', () => {
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(({ shown, path }) => !path.endsWith(shown))).toEqual([])
  })

  test('names tests by their titles', () => {
    const named = links.filter(({ name }) => name !== '')
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ path, name }) => !readFileSync(path, 'utf8').includes(name))).toEqual([])
  })

  test('names, for every promise, a test that holds it', () => {
    expect(promises.length).toBeGreaterThan(40)
    expect(promises.filter((line) => !/\]\(test\/[\w/.-]+\.test\.ts\)/.test(line))).toEqual([])
  })

  test('names every test that was written to hold a promise', () => {
    const written = globSync('test/security/*.test.ts').map((file) => file.replaceAll('\\', '/'))
    expect(written.filter((file) => !text.includes(`(${file})`))).toEqual([])
  })
})
