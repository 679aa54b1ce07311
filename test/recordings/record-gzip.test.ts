import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { exchange, newDirectory, recorderTo } from '../control-plane/evidence/support/recording.ts'

const newFile = (): string => join(newDirectory(), 'traffic.ndjson.gz')
const numbersIn = (file: string): readonly number[] =>
  [
    ...gunzipSync(readFileSync(file))
      .toString()
      .matchAll(/n=(\d+)/g),
  ].map(([, number]) => Number(number))

/** Records these and closes. */
async function record(file: string, numbers: readonly number[], maxBytes?: number): Promise<void> {
  const recorder = await recorderTo(file, maxBytes === undefined ? {} : { maxBytes })
  for (const number of numbers) recorder.record(exchange({ request: { query: `n=${number}` } }))
  await recorder.close()
}

describe('a recording whose name ends in .gz', () => {
  it('is gzip', async () => {
    const file = newFile()
    await record(file, [1, 2, 3])
    expect(numbersIn(file)).toEqual([1, 2, 3])
    expect(gunzipSync(readFileSync(file)).toString()).toMatch(/^(\{"v":1,.*\}\n){3}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('can be read to its last line while it is written', async () => {
    const file = newFile()
    const recorder = await recorderTo(file)
    for (const number of [1, 2]) {
      recorder.record(exchange({ request: { query: `n=${number}` } }))
      while (recorder.counts().written < number) await new Promise((resolve) => setTimeout(resolve, 10))
      expect(numbersIn(file).at(-1)).toBe(number)
    }
  })

  it('is appended to', async () => {
    const file = newFile()
    await record(file, [1, 2])
    await record(file, [3])
    expect(numbersIn(file)).toEqual([1, 2, 3])
    expect(() => statSync(`${file}.1`)).toThrow('ENOENT')
  })

  it('is appended to even if another program wrote it', async () => {
    const file = newFile()
    writeFileSync(file, gzipSync('n=0\n'))
    await record(file, [1])
    expect(numbersIn(file)).toEqual([0, 1])
  })

  it.each([1, 2, 5, 9, 15, 60])(
    'and lost its last %i bytes is set aside: what follows them could not be read',
    async (bytes) => {
      const file = newFile()
      await record(file, [1])
      await record(file, [2])
      truncateSync(file, statSync(file).size - bytes)
      const cutOff = readFileSync(file)
      await record(file, [3])
      expect(readFileSync(`${file}.1`).equals(cutOff)).toBe(true)
      expect(numbersIn(file)).toEqual([3])
    },
  )

  it.each(['\x1f', '\x1f\x8b', '\x1f\x8b\x08', 'garbage', '\n'])('and ends in %j is set aside too', async (end) => {
    const file = newFile()
    await record(file, [1])
    appendFileSync(file, Buffer.from(end, 'latin1'))
    await record(file, [2])
    expect(numbersIn(file)).toEqual([2])
    expect(statSync(`${file}.1`).size).toBeGreaterThan(20)
  })

  it('and is not gzip is set aside', async () => {
    const file = newFile()
    writeFileSync(file, '{"v":1}\n')
    await record(file, [1])
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('{"v":1}\n')
    expect(numbersIn(file)).toEqual([1])
  })

  it('is set aside when it grows too large, by its size on the disk', async () => {
    const file = newFile()
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
    for (let from = 0; from < 100; from += 10) await record(file, numbers.slice(from, from + 10), 1_000)
    const names = [2, 1].map((number) => `${file}.${number}`)
    expect([...names, file].flatMap(numbersIn).at(-1)).toBe(100)
    for (const name of names) {
      expect(statSync(name).size).toBeLessThanOrEqual(1_000)
      expect(numbersIn(name).length).toBeGreaterThan(5)
    }
  })
})
