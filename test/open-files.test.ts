import { describe, expect, test } from 'vitest'
import { openFilesLimit, shareOpenFiles } from '../src/app/open-files.ts'

const [WITHOUT_LEGACY, WITH_LEGACY] = [2, 6]

describe('the files that a process may have open', () => {
  test.each([64, 100, 200, 256, 1_024, 4_096, 65_536, 1_048_576])('are never shared out twice (%i)', (limit) => {
    for (const pools of [WITHOUT_LEGACY, WITH_LEGACY]) {
      const { clients, admin, perPool } = shareOpenFiles(limit, pools)
      const all = [clients, admin].flatMap((share) => [share.limit, share.maxWaiting, share.maxLeaving])
      const taken = all.reduce((sum, one) => sum + one, perPool * pools)
      // Rounding aside.
      if (limit >= 200) expect(taken).toBeLessThan(limit - 40)
      expect(clients.limit).toBeGreaterThan(0)
      expect(perPool).toBeGreaterThan(0)
    }
  })

  test('leave a service as many connections as it is asked calls at a time, as soon as there is room', () => {
    expect(shareOpenFiles(4_096, WITH_LEGACY)).toMatchObject({ perPool: 144, clients: { limit: 2_196 } })
    expect(shareOpenFiles(1_024, WITHOUT_LEGACY)).toMatchObject({ perPool: 144, clients: { limit: 448 } })
  })

  test('go to as many clients as the operator wants', () => {
    expect(shareOpenFiles(65_536, WITH_LEGACY, 20_000).clients.limit).toBe(20_000)
    expect(shareOpenFiles(1_048_576, WITH_LEGACY).clients.limit).toBe(16_384)
  })

  test('are as many as the system says', () => {
    expect(openFilesLimit()).toBeGreaterThanOrEqual(256)
  })
})
