import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordTarget } from '../../src/recordings/record.ts'
import { newDirectory } from '../control-plane/evidence/support/recording.ts'

describe('the file to record in', () => {
  it('is the named one, whether or not it exists', async () => {
    const file = join(newDirectory(), 'traffic.ndjson.gz')
    expect(await recordTarget(file, 'one')).toBe(file)
    writeFileSync(file, '')
    expect(await recordTarget(file, 'one')).toBe(file)
  })

  it('has the name of the replica in a directory that exists', async () => {
    const directory = newDirectory()
    expect(await recordTarget(directory, 'gateway-0')).toBe(join(directory, 'gateway-0.ndjson'))
    expect(await recordTarget(directory, 'gateway-1')).toBe(join(directory, 'gateway-1.ndjson'))
  })

  it('has the name of the replica after a slash, in a directory that only its owner can read', async () => {
    const made = `${join(newDirectory(), 'made', 'for', 'it')}/`
    expect(await recordTarget(made, 'one')).toBe(join(made, 'one.ndjson'))
    expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  it('stays in the directory and is not hidden, with any id of the replica', async () => {
    const directory = newDirectory()
    mkdirSync(join(directory, 'a'))
    const ids = ['a/b', '../a', '.', '.hidden', 'a b', 'a%2Fb', 'İzmir']
    for (const id of ids) writeFileSync(await recordTarget(directory, id), '')
    const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'))
    expect(names).toHaveLength(ids.length)
    expect(names.filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('cannot be below a path that is a file', async () => {
    const file = join(newDirectory(), 'file')
    writeFileSync(file, '')
    await expect(recordTarget(`${file}/`, 'one')).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})
