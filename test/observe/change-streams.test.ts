import { describe, expect, it } from 'vitest'
import { changeStreams } from '../../src/control-plane/admin/dashboard/change-streams.ts'
import { dashboardSources } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { until } from '../support/start-gateway.ts'

/** A dashboard whose numbers can be changed, and what is read of its streams. */
async function opened(most?: number) {
  let mark = 'first'
  const changes = changeStreams(() => mark, { everyMs: 20, ...(most !== undefined && { most }) })
  const { url } = await openDashboard(dashboardSources({ changes }))
  return {
    url,
    changes,
    change: (to: string): void => {
      mark = to
    },
    async listen() {
      const leaving = new AbortController()
      const answer = await fetch(`${url}/changes`, { signal: leaving.signal })
      const read = { text: '', hasEnded: false }
      const reading = (async () => {
        for await (const chunk of answer.body ?? []) read.text += Buffer.from(chunk).toString()
        read.hasEnded = true
      })().catch(() => undefined)
      return { answer, read, reading, leave: () => leaving.abort() }
    },
  }
}

const events = ({ text }: { readonly text: string }): number => text.split('event: changed\ndata:\n\n').length - 1
const lines = ({ text }: { readonly text: string }): number => text.split('\n\n').length - 1

describe('a stream of changes', () => {
  it('tells each change of the numbers once, and that it is still there in between', async () => {
    const { listen, change } = await opened()
    const { answer, read, leave } = await listen()
    await until(() => lines(read) >= 4)
    // A minute may end just then.
    const before = events(read)
    expect(before).toBeLessThanOrEqual(1)
    change('second')
    await until(() => events(read) > before)
    const after = lines(read)
    await until(() => lines(read) >= after + 4)
    expect(events(read)).toBeLessThanOrEqual(before + 2)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    // nginx would otherwise collect what it passes on.
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    leave()
  })

  it('is refused beyond the limit, until a page leaves', async () => {
    const { listen } = await opened(2)
    const first = await listen()
    const second = await listen()
    const third = await listen()
    expect([first, second, third].map(({ answer }) => answer.status)).toEqual([200, 200, 503])
    await third.reading
    expect(third.read.text).toContain('reload to see newer numbers')
    first.leave()
    await until(async () => {
      const next = await listen()
      next.leave()
      return next.answer.status === 200
    })
    second.leave()
  })

  it('is not held by a program that asks for the headers alone', async () => {
    const { url, listen } = await opened(1)
    const asked = await fetch(`${url}/changes`, { method: 'HEAD' })
    expect(asked.headers.get('content-type')).toBe('text/event-stream')
    const { answer, leave } = await listen()
    expect(answer.status).toBe(200)
    leave()
  })

  it('ends when the gateway stops, and none begins after that', async () => {
    const { listen, changes } = await opened()
    const { read, reading } = await listen()
    changes.close()
    await reading
    expect(read.hasEnded).toBe(true)
    expect((await listen()).answer.status).toBe(503)
  })
})
