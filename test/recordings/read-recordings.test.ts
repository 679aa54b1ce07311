import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { placeIn, readRecordings, type ScannedRecording } from '../../src/recordings/merge-recordings.ts'
import { newDirectory } from '../control-plane/evidence/support/recording.ts'

const second = (at: number): string => new Date(Date.UTC(2025, 0, 1, 0, 0, at)).toISOString()
const line = (at: number | undefined, path: string, replica?: string): string =>
  `${JSON.stringify({ v: 1, ...(at !== undefined && { at: second(at) }), replica, request: { method: 'GET', path } })}\n`

function fileOf(name: string, startsAt: number | undefined, content: string | Uint8Array): ScannedRecording {
  const path = join(newDirectory(), name)
  writeFileSync(path, content)
  const start = startsAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(second(startsAt))
  return { path, startsAt: start, lateBy: 0 }
}

/** The entries in the order of reading, each with file, line, and path or problem. */
async function outlineOf(files: readonly ScannedRecording[]): Promise<readonly string[]> {
  const found: string[] = []
  for await (const entry of readRecordings(files)) {
    const { file, line: number } = placeIn(files, entry.line)
    found.push(`${file.split('/').at(-1)}:${number} ${'problem' in entry ? entry.problem : entry.path}`)
  }
  return found
}

describe('several recordings', () => {
  it('are read as one, in the order of the calls, regardless of their formats', async () => {
    const ndjson = fileOf('a.ndjson', 1, line(1, '/1', 'a') + line(4, '/4', 'a') + line(9, '/9', 'a'))
    const packed = fileOf('b.ndjson.gz', 2, gzipSync(`${line(2, '/2')}not JSON\n${line(8, '/8')}`))
    const entries = [3, 5].map((at) => ({
      startedDateTime: second(at),
      request: { method: 'GET', url: `https://legacy.example/${at}`, headers: [] },
    }))
    const har = fileOf('c.har', 3, JSON.stringify({ log: { version: '1.2', entries } }))
    expect(await outlineOf([har, ndjson, packed])).toEqual([
      'a.ndjson:1 /1',
      'b.ndjson.gz:1 /2',
      'b.ndjson.gz:2 not JSON',
      'c.har:1 /3',
      'a.ndjson:2 /4',
      'c.har:2 /5',
      'b.ndjson.gz:3 /8',
      'a.ndjson:3 /9',
    ])
  })

  it('begin with those without times', async () => {
    const untimed = fileOf('old.ndjson', undefined, line(undefined, '/x') + line(undefined, '/y'))
    const timed = fileOf('new.ndjson', 1, line(1, '/1'))
    expect(await outlineOf([timed, untimed])).toEqual(['old.ndjson:1 /x', 'old.ndjson:2 /y', 'new.ndjson:1 /1'])
  })

  it('keep the line numbers of the file if there is only one', async () => {
    const file = fileOf('a.ndjson', 1, `\n${line(1, '/1')}\n${line(2, '/2')}`)
    const lines: number[] = []
    for await (const entry of readRecordings([file])) lines.push(entry.line)
    expect(lines).toEqual([2, 4])
    expect(placeIn([file], 4)).toEqual({ file: file.path, line: 4 })
  })

  it('are named if one can no longer be read', async () => {
    const [good, gone] = [
      fileOf('a.ndjson', 1, line(1, '/1')),
      { path: join(newDirectory(), 'gone'), startsAt: 0, lateBy: 0 },
    ]
    await expect(outlineOf([good, gone])).rejects.toMatchObject({
      name: 'RecordingError',
      message: `${gone.path}: no such file or directory`,
    })
  })
})
