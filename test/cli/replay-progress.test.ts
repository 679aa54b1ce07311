import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { showProgress } from '../../src/cli/replay-progress.ts'

function stream(isTTY: boolean) {
  const written = Object.assign(new PassThrough(), { isTTY, columns: 100 })
  return { written, text: () => String(written.read() ?? '') }
}

describe('the progress of a replay', () => {
  it('is a bar on a terminal', () => {
    const { written, text } = stream(true)
    const progress = showProgress(written, 4)
    progress.add('matched')
    progress.add('mismatched')
    progress.stop()
    const shown = text()
    expect(shown).toContain('░░░░ 0/4')
    expect(shown).toMatch(/█{12}░{12} 2\/4 \| 1 mismatched, 0 failed/)
    expect(shown.endsWith('\n')).toBe(true)
  })

  it('is a plain line at intervals elsewhere, and one at the end', async () => {
    const { written, text } = stream(false)
    const progress = showProgress(written, 4, 5)
    progress.add('failed')
    progress.add('skipped')
    const line = '2 of 4 exchanges: 0 mismatched, 1 failed, 1 skipped\n'
    await expect.poll(() => written.readableLength).toBeGreaterThanOrEqual(line.length)
    progress.stop()
    expect(text()).toMatch(new RegExp(`^(${line}){2,}$`))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(text()).toBe('')
  })
})
