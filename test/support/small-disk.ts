import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeAtEnd } from './clean-up.ts'

export interface SmallDisk {
  readonly folder: string
  enlarge(): void
}

/** Mounts a file system of 64 KB, which a test can enlarge, until the tests of the file have ended. Undefined if this user may not mount. */
export function mountSmall(): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
  closeAtEnd(() => {
    if (status === 0) execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  if (status !== 0) return undefined
  return { folder, enlarge: () => execFileSync('mount', ['-o', 'remount,size=64m', folder]) }
}
