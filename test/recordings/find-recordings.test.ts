import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRecordings } from '../../src/recordings/find-recordings.ts'
import { newDirectory } from '../control-plane/evidence/support/recording.ts'

/** A directory with these files, all empty. */
function directoryWith(...names: readonly string[]): string {
  const directory = newDirectory()
  for (const name of names) writeFileSync(join(directory, name), '')
  return directory
}

describe('the files of a recording', () => {
  it('are those given, in their order, regardless of their names', async () => {
    const directory = directoryWith('b.txt', '.a', 'c')
    const paths = ['b.txt', 'c', '.a'].map((name) => join(directory, name))
    expect(await findRecordings(paths)).toEqual({ files: paths, given: new Set(paths), leftOut: [] })
  })

  it('are in a directory those named like recordings, including rotated and packed ones', async () => {
    const recordings = [
      'a.har',
      'b.json',
      'c.jsonl',
      'd.ndjson',
      'd.ndjson.1',
      'd.ndjson.12',
      'd.ndjson.2.gz',
      'e.NDJSON',
    ]
    const packed = ['f.ndjson.gz', 'f.ndjson.gz.1']
    const others = ['README.md', 'a.har.zst', 'd.ndjson.1.tmp', 'ndjson']
    const hidden = ['.d.ndjson', '.gitignore']
    const directory = directoryWith(...recordings, ...packed, ...others, ...hidden)
    mkdirSync(join(directory, 'older.ndjson'))
    writeFileSync(join(directory, 'older.ndjson', 'x.ndjson'), '')
    const named = (names: readonly string[]) => names.map((name) => join(directory, name)).sort()
    const { files, leftOut } = await findRecordings([directory])
    expect(files).toEqual(named([...recordings, ...packed]))
    expect(leftOut).toEqual(named(others))
  })

  it('are read once, even if one is given twice or has several names', async () => {
    const directory = directoryWith('a.ndjson')
    const file = join(directory, 'a.ndjson')
    symlinkSync(file, join(directory, 'b.ndjson'))
    linkSync(file, join(directory, 'c.ndjson'))
    expect((await findRecordings([file, directory, `${directory}/../${directory.split('/').at(-1)}`])).files).toEqual([
      file,
    ])
  })

  it('must exist, and a directory must have at least one', async () => {
    const directory = directoryWith('notes.txt', '.hidden.ndjson')
    await expect(findRecordings([directory])).rejects.toMatchObject({
      name: 'RecordingError',
      message: `${directory}: no recording in this directory: its files must be named .ndjson, .jsonl, .har or .json, with or without .gz or a number`,
    })
    const missing = join(directory, 'missing.ndjson')
    await expect(findRecordings([missing])).rejects.toMatchObject({
      name: 'RecordingError',
      message: `${missing}: no such file or directory`,
    })
  })
})
