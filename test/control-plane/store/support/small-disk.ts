import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { giveAway, makeOwnFolder } from '../../../support/postgres-files.ts'

/** A small disk for a server of the tests, until the file's tests have run; undefined when it may not be mounted. */
export function smallDisk(): string | undefined {
  const folder = makeOwnFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  closeAtEnd(() => {
    if (mounted.status === 0) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  if (mounted.status !== 0) return undefined
  giveAway(folder)
  return folder
}
