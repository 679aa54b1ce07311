import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { exchange, newDirectory, recorderTo } from '../control-plane/evidence/support/recording.ts'

const newFile = (): string => join(newDirectory(), 'traffic.ndjson')
const numbered = (number: number) => exchange({ request: { query: `n=${number}` } })
/** The numbers of the exchanges in a file. */
const numbersIn = (file: string): readonly number[] =>
  [...readFileSync(file, 'utf8').matchAll(/n=(\d+)/g)].map(([, number]) => Number(number))
const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await soon(10)
}

describe('an exchange', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is in the file within a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const file = newFile()
    const recorder = await recorderTo(file)
    recorder.record(numbered(1))
    expect(numbersIn(file)).toEqual([])
    vi.advanceTimersByTime(1_000)
    vi.useRealTimers()
    await until(() => numbersIn(file).length === 1)
    recorder.record(numbered(2))
    await until(() => numbersIn(file).length === 2)
  })

  it('is in the file once the recorder is closed', async () => {
    const file = newFile()
    const recorder = await recorderTo(file)
    for (let number = 1; number <= 3_000; number++) recorder.record(numbered(number))
    await recorder.close()
    expect(numbersIn(file)).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1))
    expect(recorder.counts()).toEqual({ written: 3_000, dropped: 0 })
    expect(recorder.logged).toEqual([])
  })

  it('is dropped after that', async () => {
    const file = newFile()
    const recorder = await recorderTo(file)
    await recorder.close()
    recorder.record(numbered(1))
    await recorder.close()
    expect(numbersIn(file)).toEqual([])
    expect(recorder.counts()).toEqual({ written: 0, dropped: 1 })
  })

  it('that cannot be redacted is dropped, without an error', async () => {
    const file = newFile()
    const redact = {
      body: () => {
        throw new Error('out of order')
      },
      query: (query: string) => query,
      client: (name: string) => name,
      key: '',
    }
    const recorder = await recorderTo(file, { redact })
    for (let number = 0; number < 3; number++) recorder.record(numbered(number))
    await recorder.close()
    expect(readFileSync(file, 'utf8')).toBe('')
    expect(recorder.logged.map(([level, message]) => [level, message])).toEqual([
      ['warn', 'an exchange cannot be recorded'],
      ['warn', 'the recording is incomplete'],
    ])
  })
})

describe('the file', () => {
  it('exists from the start, and only its owner may read it', async () => {
    const file = newFile()
    const recorder = await recorderTo(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    recorder.record(numbered(1))
    await recorder.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is appended to when it exists, and keeps its mode', async () => {
    const file = newFile()
    writeFileSync(file, '{"n=0":1}\n')
    chmodSync(file, 0o640)
    for (const number of [1, 2]) {
      const recorder = await recorderTo(file)
      recorder.record(numbered(number))
      await recorder.close()
    }
    expect(numbersIn(file)).toEqual([0, 1, 2])
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4)
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  it('continues on a new line if its last line was cut off', async () => {
    const file = newFile()
    writeFileSync(file, '{"v":1}\n{"v":1,"at":"2025')
    const recorder = await recorderTo(file)
    recorder.record(numbered(1))
    recorder.record(numbered(2))
    await recorder.close()
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines.slice(0, 2)).toEqual(['{"v":1}', '{"v":1,"at":"2025'])
    expect(lines.slice(2, 4).map((line) => (JSON.parse(line) as { v: number }).v)).toEqual([1, 1])
    expect(lines.slice(4)).toEqual([''])
  })

  it('may be moved away while it is written, and is then created again', async () => {
    const file = newFile()
    const recorder = await recorderTo(file)
    recorder.record(numbered(1))
    await until(() => recorder.counts().written === 1)
    renameSync(file, `${file}.moved`)
    recorder.record(numbered(2))
    await recorder.close()
    expect(numbersIn(`${file}.moved`)).toEqual([1])
    expect(numbersIn(file)).toEqual([2])
  })

  it.each([
    ['in a directory that does not exist', (file: string) => join(file, 'traffic.ndjson'), 'no such file or directory'],
    ['that is a directory', (file: string) => file, 'illegal operation on a directory'],
  ])('%s prevents the start, with its name and the reason', async (_, inside, reason) => {
    const file = newFile()
    if (inside(file) === file) mkdirSync(file)
    await expect(recorderTo(inside(file))).rejects.toMatchObject({
      name: 'RecordingError',
      message: `${inside(file)}: ${reason}`,
    })
  })
})

describe('a file that grows too large', () => {
  const LINE = 200

  it('is set aside with a number, and only the newest are kept', async () => {
    const file = newFile()
    const recorder = await recorderTo(file, { maxBytes: 10 * LINE, files: 3 })
    for (let number = 1; number <= 100; number++) recorder.record(numbered(number))
    await recorder.close()
    const names = [`${file}.3`, `${file}.2`, `${file}.1`, file]
    const numbers = names.flatMap(numbersIn)
    expect(numbers).toEqual(numbers.map((_, index) => 100 - numbers.length + 1 + index))
    for (const name of names) {
      expect(statSync(name).size).toBeLessThanOrEqual(10 * LINE)
      expect(statSync(name).mode & 0o777).toBe(0o600)
      expect(readFileSync(name, 'utf8').at(-1)).toBe('\n')
    }
    expect(() => statSync(`${file}.4`)).toThrow('ENOENT')
    expect(recorder.counts().written).toBe(100)
  })

  it('counts its earlier content towards its size', async () => {
    const file = newFile()
    writeFileSync(file, `${'x'.repeat(999)}\n`)
    const recorder = await recorderTo(file, { maxBytes: 1_000 })
    recorder.record(numbered(1))
    await recorder.close()
    expect(statSync(`${file}.1`).size).toBe(1_000)
    expect(numbersIn(file)).toEqual([1])
  })

  it('accepts a line that is larger than the limit of a file', async () => {
    const file = newFile()
    const recorder = await recorderTo(file, { maxBytes: 10 })
    recorder.record(numbered(1))
    recorder.record(numbered(2))
    await recorder.close()
    expect([numbersIn(`${file}.1`), numbersIn(file)]).toEqual([[1], [2]])
  })

  it('holds 256 MiB by default, and eight are kept', async () => {
    const file = newFile()
    writeFileSync(file, '')
    truncateSync(file, 256 * 1024 * 1024 - 100)
    for (let number = 1; number <= 8; number++) writeFileSync(`${file}.${number}`, `n=${number}`)
    const recorder = await recorderTo(file)
    recorder.record(numbered(9))
    await recorder.close()
    expect(statSync(`${file}.1`).size).toBe(256 * 1024 * 1024 - 100)
    expect([2, 3, 4, 5, 6, 7, 8].map((number) => numbersIn(`${file}.${number}`))).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => [n]),
    )
    expect(() => statSync(`${file}.9`)).toThrow('ENOENT')
  })
})

describe.concurrent('a disk that fails', () => {
  it('is logged once, and once more when it works again, and nothing is lost meanwhile', async () => {
    const file = newFile()
    const directory = join(file, '..')
    const recorder = await recorderTo(file)
    rmSync(directory, { recursive: true })
    for (let number = 1; number <= 5; number++) {
      recorder.record(numbered(number))
      await soon(150)
    }
    await until(() => recorder.logged.length > 0)
    // Long enough for the last write to have failed: it is tried again even if no further exchange comes.
    await soon(300)
    expect(recorder.logged).toEqual([
      ['warn', 'the recording cannot be written', { file, reason: 'no such file or directory' }],
    ])
    mkdirSync(directory)
    await until(() => recorder.counts().written === 5)
    expect(numbersIn(file)).toEqual([1, 2, 3, 4, 5])
    expect(recorder.logged.slice(1)).toEqual([['info', 'the recording is written again', { file, dropped: 0 }]])
  })

  it('until the gateway stops loses the queue, and the log says how much', async () => {
    const file = newFile()
    const recorder = await recorderTo(file)
    rmSync(join(file, '..'), { recursive: true })
    recorder.record(numbered(1))
    recorder.record(numbered(2))
    await recorder.close()
    expect(recorder.counts()).toEqual({ written: 0, dropped: 2 })
    expect(recorder.logged.at(-1)).toEqual(['warn', 'the recording is incomplete', { file, written: 0, dropped: 2 }])
  })

  it.skipIf(!existsSync('/dev/full'))('because it is full is treated the same way', async () => {
    const recorder = await recorderTo('/dev/full')
    recorder.record(numbered(1))
    await recorder.close()
    expect(recorder.logged[0]).toEqual([
      'warn',
      'the recording cannot be written',
      { file: '/dev/full', reason: 'no space left on device' },
    ])
  })

  it('or is too slow loses the newest exchanges, which are counted and logged once', async () => {
    const file = newFile()
    const recorder = await recorderTo(file, { maxQueuedBytes: 1_000 })
    for (let number = 1; number <= 50; number++) recorder.record(numbered(number))
    const { dropped } = recorder.counts()
    expect(dropped).toBeGreaterThan(40)
    await until(() => recorder.counts().written > 0)
    expect(numbersIn(file)).toEqual(Array.from({ length: 50 - dropped }, (_, index) => index + 1))
    recorder.record(numbered(51))
    await recorder.close()
    expect(numbersIn(file).at(-1)).toBe(51)
    expect(recorder.logged.map(([, message]) => message)).toEqual([
      'the recording is written too slowly: exchanges are dropped',
      'the recording is incomplete',
    ])
  })

  it('or leaves half a line behind does not damage the next line', async () => {
    const file = newFile()
    const recorder = await recorderTo(file)
    recorder.record(numbered(1))
    await until(() => recorder.counts().written === 1)
    appendFileSync(file, '{"half')
    recorder.record(numbered(2))
    await recorder.close()
    expect(readFileSync(file, 'utf8').split('\n')[1]).toBe('{"half')
    expect(numbersIn(file)).toEqual([1, 2])
  })
})
