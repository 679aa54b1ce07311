import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const text = readFileSync('SECURITY.md', 'utf8')
/** What is shown, where it leads, and the part of a test's name that stands behind it. */
const links = [...text.matchAll(/\[([^\]]+)\]\(([^)#]+)\)(?: "([^"]+)")?/g)].map(
  ([, shown = '', path = '', name = '']) => ({ shown, path, name }),
)
const promises = text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Promise|Limit) \|/.test(line))

// That the files which it names are there is held by `docs.test.ts`.
describe('SECURITY.md', () => {
  test('shows every link by the end of its own path, so that nobody is led elsewhere', () => {
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(({ shown, path }) => !path.endsWith(shown))).toEqual([])
  })

  test('names tests as they are called', () => {
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
