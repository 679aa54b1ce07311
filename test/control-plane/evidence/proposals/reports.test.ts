import { describe, expect, it } from 'vitest'
import { learnRequests } from '../../../../src/control-plane/evidence/proposals/learn-requests.ts'
import { Proposals } from '../../../../src/control-plane/evidence/proposals/proposals.ts'
import { fileOf } from '../../../../src/control-plane/evidence/proposals/proposed-file.ts'
import { type Trial, trialOf } from '../../../../src/control-plane/evidence/proposals/trial.ts'
import { Learner, list } from './support/learning.ts'

describe('the file of proposals', () => {
  const proposals = [
    { legacy: '[].plate', line: { from: 'items[].plateCode' }, certainty: 'certain' },
    { legacy: '[].name', line: { from: 'items[].title' }, certainty: 'ambiguous' },
  ] as const

  it('has the certain lines, and those that are in it already', () => {
    const existing = { why: 'first week', response: { '[].area': { from: 'items[].area', as: 'string' } } } as const
    expect(fileOf('city-list', proposals, {}, existing)).toEqual({
      operations: {
        'city-list': {
          why: 'first week',
          response: { '[].area': { from: 'items[].area', as: 'string' }, '[].plate': { from: 'items[].plateCode' } },
        },
      },
    })
  })

  it('replaces a line of the same path, and lines above and beneath', () => {
    const existing = {
      response: { '[].plate': { drop: true }, '[].plate.x': { drop: true }, '[]': { lost: '' } },
    } as const
    expect(fileOf('city-list', proposals, {}, existing)).toEqual({
      operations: { 'city-list': { response: { '[].plate': { from: 'items[].plateCode' } } } },
    })
  })

  it('keeps what lines read under its own name, where legacy has it there too', () => {
    const learner = new Learner(list)
    for (let at = 0; at < 40; at++) {
      const code = `c${at * 7}`
      learner.takeValues([{ id: at, code, title: `No ${code}`, old: at * 3 }], [{ id: at, code, new: at * 3 }], {
        input: at,
      })
    }
    expect(learner.report.proposals.map(({ legacy }) => legacy)).toEqual(['[].title', '[].old'])
    expect(learner.report.file).toEqual({
      operations: {
        'made-list': {
          response: {
            '[].title': { join: ['No ', 'items[].code'] },
            '[].old': { from: 'items[].new' },
            '[].code': { from: 'items[].code' },
          },
        },
      },
    })
  })

  it('is empty where nothing is certain, and nothing was in it', () => {
    expect(fileOf('city-list', proposals.slice(1))).toEqual({ operations: {} })
  })
})

describe('a trial', () => {
  it('counts comparisons with the proposals, and says what they settle and cause', () => {
    const [plate, code] = [
      { kind: 'missing', path: '[].plate' },
      { kind: 'extra', path: '[].plateCode' },
    ] as const
    const other = { kind: 'changed', path: '[].name' } as const
    let trial: Trial | undefined
    trial = trialOf(trial, new Date('2026-11-01T00:00:00Z'), { without: [plate, code], withThem: [] })
    trial = trialOf(trial, new Date('2026-11-02T00:00:00Z'), { without: [plate], withThem: [other] })
    expect(trial).toEqual({
      ...{ since: '2026-11-01T00:00:00.000Z', matched: 1, mismatched: 1 },
      ...{ settled: [plate, code], caused: [other] },
    })
  })
})

describe('requests', () => {
  it('say what v1 does not get, and what it refuses where legacy accepts it, with both paths', () => {
    const learned = learnRequests({
      notSent: [{ part: 'request', legacy: 'cityName' }],
      legacyStatus: 200,
      v1: {
        status: 422,
        body: Buffer.from('{"code":"VALIDATION_FAILED","errors":[{"path":"dateFrom","message":"no"}]}'),
      },
      candidate: { violations: [{ propertyPath: 'dateAtBetween.startAt', message: 'no' }] },
    })
    const proposals = new Proposals()
    const nothing = { paths: [], differences: [], limits: [] }
    for (const client of [1, 2, 2])
      proposals.add('invoice-list', { ...nothing, requests: learned }, { input: 1, client })
    expect(proposals.report().operations[0]?.requests).toEqual([
      {
        ...{ legacy: 'cityName', calls: 3, clients: 2 },
        ...{ says: 'the mapping does not send it', v1Path: null },
      },
      {
        ...{ legacy: 'dateAtBetween.startAt', calls: 3, clients: 2 },
        ...{ says: 'legacy accepts it, v1 refuses it', v1Path: 'dateFrom' },
      },
    ])
  })

  it('are not asked about where legacy refuses them too', () => {
    const asked = { notSent: [{ part: 'request', legacy: 'x' } as const], v1: undefined, candidate: undefined }
    expect(learnRequests({ ...asked, legacyStatus: 400 })).toEqual([])
  })
})
