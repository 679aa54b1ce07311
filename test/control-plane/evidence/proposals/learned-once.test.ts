import { describe, expect, it } from 'vitest'
import { type Asked, observation, observeAndConfirm } from '../../../../src/control-plane/evidence/compare-answers.ts'
import { expectationsOf } from '../../../../src/control-plane/evidence/expected/expectations.ts'
import type { Observation } from '../../../../src/control-plane/evidence/observation.ts'
import type { Watched } from '../../../../src/control-plane/evidence/proposals/learned.ts'
import type { Reply } from '../../../../src/control-plane/evidence/reply.ts'
import { explain } from '../../../../src/guide/lines/explain.ts'
import { legacyBody, one, rewritten, v1Body } from './support/learning.ts'

const expectations = expectationsOf(one, explain(one))
const legacy = (record: object): Reply => ({ status: 200, body: legacyBody(one, record) })
const v1 = (record: object): Reply => {
  const body = v1Body(one, record)
  return { status: 200, body: rewritten(one, body), v1Answer: { status: 200, body } }
}

/** Observes a record that both services are asked for again if they differ; returns each of the observations. */
async function observed(control: Reply, candidate: Reply, watched?: Watched): Promise<readonly Observation[]> {
  const all: Observation[] = []
  const again = { control: () => Promise.resolve(control), candidate: () => Promise.resolve(candidate) }
  const asked = { operation: one.id, expectations, control, candidate, learning: { watched } }
  await observeAndConfirm<Asked, Observation>(asked, again, (each) => {
    all.push(observation(each))
    return all.at(-1) as Observation
  })
  return all
}

const pathsOf = (all: readonly Observation[]) => all.map(({ learned }) => learned?.paths.map((path) => path.legacy))

describe('a comparison whose sides are asked again if they differ', () => {
  it('learns once, from the answers that were asked for again', async () => {
    const all = await observed(legacy({ id: 1, plate: 'a' }), v1({ id: 1, code: 'a' }))
    expect(all.map(({ outcome }) => outcome)).toEqual(['mismatched', 'mismatched'])
    expect(pathsOf(all)).toEqual([undefined, ['plate', 'code']])
  })

  it('learns at once where nothing differs, of what differed before', async () => {
    const watched = { paths: ['plate'], noValues: [], noEnums: [] }
    const all = await observed(legacy({ id: 1, plate: 'a' }), v1({ id: 1, plate: 'a' }), watched)
    expect(pathsOf(all)).toEqual([['plate']])
    expect(pathsOf(await observed(legacy({ id: 1 }), v1({ id: 1 })))).toEqual([undefined])
  })
})
