import { mkdtempSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CurrentRollout, watchRollout } from '../../../src/control-plane/rollout/rollout-file.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { parseAbout } from '../../support/rollout-setting.ts'

const shadow = (share: number): string => JSON.stringify({ operations: { '*': { shadow: share } } })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The longest time that a change may take. */
const twoSecondsPass = (): void => void vi.advanceTimersByTime(2_000)

function watched(text: string, write: (path: string, text: string) => void = writeFileSync) {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-'))
  const path = join(folder, 'rollout.json')
  write(path, text)
  const changes: CurrentRollout[] = []
  const before: CurrentRollout[] = []
  const file = watchRollout({
    path,
    parse: (read) => parseAbout(['invoice-list'], read),
    onChange: (current, previous) => {
      changes.push(current)
      before.push(previous)
    },
  })
  closeAtEnd(() => {
    file.close()
    rmSync(folder, { recursive: true })
  })
  return { path, changes, before, file, share: () => file.current().rollout.of('invoice-list').shadow }
}

/**
 * Writes the file as Kubernetes writes one of a ConfigMap: the file links through `..data` to a folder of this version. A new version
 * is a new folder; then the link is replaced and the old folder removed.
 */
function writeAsKubelet(path: string, text: string): void {
  const folder = dirname(path)
  const [data, next] = [join(folder, '..data'), join(folder, '..data_tmp')]
  const version = mkdtempSync(join(folder, '..2026_'))
  writeFileSync(join(version, 'rollout.json'), text)
  symlinkSync(version, next)
  const old = linkAt(data)
  renameSync(next, data)
  if (old === undefined) symlinkSync(join('..data', 'rollout.json'), path)
  else rmSync(old, { recursive: true })
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

describe('the rollout file', () => {
  it.each([
    ['in place', (path: string, text: string) => writeFileSync(path, text)],
    [
      'by rename',
      (path: string, text: string) => {
        writeFileSync(`${path}.new`, text)
        renameSync(`${path}.new`, path)
      },
    ],
  ])('takes effect within two seconds of a change %s', (_, write) => {
    const { path, changes, share } = watched(shadow(0.5))
    expect(share()).toBe(0.5)
    write(path, shadow(0.6))
    twoSecondsPass()
    expect(share()).toBe(0.6)
    // The same length, and perhaps the same modification time.
    write(path, shadow(0.7))
    twoSecondsPass()
    expect(share()).toBe(0.7)
    expect(changes.map(({ error }) => error)).toEqual([null, null])
  })

  it('has a hash that distinguishes its versions, and does not depend on its path', () => {
    const { path, file } = watched(shadow(0.5))
    const { hash } = file.current()
    expect(hash).toMatch(/^[0-9a-f]{12}$/)
    expect(watched(shadow(0.5)).file.current().hash).toBe(hash)
    writeFileSync(path, '{')
    twoSecondsPass()
    expect(file.current().hash).toBe(hash)
    writeFileSync(path, shadow(0.7))
    twoSecondsPass()
    expect(file.current().hash).not.toBe(hash)
  })

  it('reports its previous content when it changes', () => {
    const { path, before, changes } = watched(shadow(0.5))
    for (const share of [0.6, 0.7]) {
      writeFileSync(path, shadow(share))
      twoSecondsPass()
    }
    const shares = (versions: readonly CurrentRollout[]) => versions.map(({ rollout }) => rollout.of('any').shadow)
    expect([shares(before), shares(changes)]).toEqual([
      [0.5, 0.6],
      [0.6, 0.7],
    ])
  })

  it('is refused if it is invalid; the previous version stays in effect until the next valid one', () => {
    const { path, changes, file, share } = watched(shadow(0.5))
    const { loadedAt } = file.current()
    writeFileSync(path, '{"operations":{"nothing":{}}}')
    twoSecondsPass()
    expect(changes).toHaveLength(1)
    expect(file.current()).toMatchObject({ loadedAt, error: expect.stringContaining('operations.nothing') })
    expect(share()).toBe(0.5)
    rmSync(path)
    twoSecondsPass()
    expect(changes).toHaveLength(2)
    expect(file.current().error).toContain('no such file or directory')
    expect(share()).toBe(0.5)
    writeFileSync(path, shadow(0.8))
    twoSecondsPass()
    expect(share()).toBe(0.8)
    expect(file.current().error).toBeNull()
  })

  it('is refused if a member is written twice; the previous version stays in effect', () => {
    const { path, changes, file } = watched('{"operations":{"*":{"serve":"legacy"}}}')
    writeFileSync(path, '{"operations":{"*":{"serve":"legacy","serve":"v1"}}}')
    twoSecondsPass()
    expect(changes).toHaveLength(1)
    expect(file.current().error).toBe('operations.*.serve: written more than once; keep one')
    expect(file.current().rollout.of('invoice-list').serve).toBe('legacy')
  })

  it('takes effect within two seconds when Kubernetes updates the ConfigMap that it is mounted from', () => {
    const { path, changes, share } = watched(shadow(0.5), writeAsKubelet)
    for (const next of [0.6, 0.7, 0.8]) {
      writeAsKubelet(path, shadow(next))
      twoSecondsPass()
      expect(share()).toBe(next)
    }
    writeAsKubelet(path, '{"operations":{"nothing":{}}}')
    twoSecondsPass()
    expect(share()).toBe(0.8)
    expect(changes.map(({ error }) => error === null)).toEqual([true, true, true, false])
  })

  it('prevents startup if it cannot be used', () => {
    expect(() => watched('{')).toThrow(/not JSON/)
    expect(() =>
      watchRollout({
        path: '/no/such/file',
        parse: () => {
          throw new Error('never')
        },
      }),
    ).toThrow('/no/such/file cannot be read: no such file or directory')
  })

  it('is optional', () => {
    const file = watchRollout({ path: undefined, parse: (text) => parseAbout([], text) })
    expect(file.current()).toEqual({ rollout: expect.anything(), loadedAt: null, error: null, hash: null })
  })
})
