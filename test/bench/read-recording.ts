import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

const SIZE = 1024 ** 3
const MODULE = new URL('../../src/recordings/read-recording.ts', import.meta.url).href

/** Reads a file in a process of its own, whose largest size then belongs to reading. */
const READ = `
  const [, module, file] = process.argv
  const { readRecording } = await import(module)
  const started = performance.now()
  let [exchanges, problems] = [0, 0]
  for await (const entry of readRecording(file)) 'problem' in entry ? problems++ : exchanges++
  const { maxRSS } = process.resourceUsage()
  console.log(JSON.stringify({ exchanges, problems, seconds: (performance.now() - started) / 1000, maxRSS }))
`

interface Reading {
  readonly exchanges: number
  readonly problems: number
  readonly seconds: number
  /** In KiB. */
  readonly maxRSS: number
}

const row = (id: number) => ({
  id,
  number: `DEM20250000${id}`,
  dateAt: '2025-03-04T10:24:19+00:00',
  priceTry: 1234.5 + id,
  priceUsd: 33.1 + id,
  firstName: 'Kqzşe',
  company: 'Wxoan Qpzrtuv X.Ğ.',
  isPaid: id % 2 === 0,
  status: { id: 3, slug: 'COMPLETED', name: 'Tamamlandı' },
  currency: { code: 'USD' },
})
/** Answers from a few hundred bytes to a page of 200 rows. */
const answers = [1, 5, 25, 200].map((rows) => ({ data: Array.from({ length: rows }, (_, index) => row(index)) }))
const answerTo = (number: number) => answers[number % answers.length]

const line = (number: number): string =>
  `${JSON.stringify({
    v: 1,
    at: '2025-01-01T00:00:00.000Z',
    client: 'Y0RdXH8c1I1EbUYG4sWHPM',
    operation: 'thing-list',
    request: { method: 'POST', path: '/api/thing/list', headers: { 'accept-language': 'en' }, body: { page: number } },
    response: { status: 200, ms: 12.3, body: answerTo(number) },
  })}\n`

const entry = (number: number): string =>
  `${number === 0 ? '{"log":{"version":"1.2","entries":[' : ','}${JSON.stringify({
    request: {
      method: 'POST',
      url: 'https://legacy.example/api/thing/list',
      headers: [{ name: 'Accept-Language', value: 'en' }],
      postData: { mimeType: 'application/json', text: JSON.stringify({ page: number }) },
    },
    response: { status: 200, content: { mimeType: 'application/json', text: JSON.stringify(answerTo(number)) } },
  })}`

/** Yields parts until the file is large enough, and its end. */
function* parts(part: (number: number) => string, end: string): Generator<string> {
  for (let number = 0, length = 0; length < SIZE; number++) {
    const text = part(number)
    length += Buffer.byteLength(text)
    yield text
  }
  yield end
}

/** Measures how much memory and time it takes to read a recording of 1 GiB, and a HAR of 1 GiB. */
export async function readLargeRecordings(print: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'read-recording-'))
  try {
    for (const [name, part, end] of [
      ['NDJSON', line, ''],
      ['HAR', entry, ']}}'],
    ] as const) {
      const file = join(directory, name)
      await pipeline(Readable.from(parts(part, end)), createWriteStream(file))
      const { size } = await stat(file)
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        READ,
        MODULE,
        file,
      ])
      const { exchanges, problems, seconds, maxRSS } = JSON.parse(stdout) as Reading
      const megabytes = size / 1024 ** 2
      print(
        `  ${name}: ${megabytes.toFixed(0)} MiB, ${exchanges} exchanges, ${problems} problems: ${seconds.toFixed(1)} s ` +
          `(${(megabytes / seconds).toFixed(0)} MiB/s), at most ${(maxRSS / 1024).toFixed(0)} MiB of memory`,
      )
      await rm(file)
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
