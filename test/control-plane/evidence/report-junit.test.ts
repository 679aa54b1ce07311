import { describe, expect, it } from 'vitest'
import { reportJunit } from '../../../src/control-plane/evidence/report/report-junit.ts'
import { readXml, type XmlElement } from './support/read-xml.ts'
import { HOSTILE, reportOn } from './support/reporting.ts'

const mixed = () =>
  reportOn([
    {},
    { control: [{ id: 1, rate: 1 }], candidate: [{ id: 1, rate: 2 }] },
    { controlFailure: 'timeout' },
    { skip: 'a write' },
    { operation: 'thing-create', control: {}, candidate: {} },
    { operation: 'thing-charges', skip: 'v1 has no equivalent' },
  ])

const named = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name)
const below = (element: XmlElement, name: string): number =>
  element.children.reduce((sum, child) => sum + (child.name === name ? 1 : 0) + below(child, name), 0)

describe('junit.xml', () => {
  it('has a suite per operation, in their order', () => {
    const root = readXml(reportJunit(mixed()))
    expect(root.name).toBe('testsuites')
    expect(root.children.map(({ name, attributes }) => [name, attributes.name])).toEqual([
      ['testsuite', 'thing-create'],
      ['testsuite', 'thing-list'],
      ['testsuite', 'thing-charges'],
    ])
    expect(root.attributes).toMatchObject({ tests: '5', failures: '1', errors: '1', time: '62.500' })
    expect(root.children[0]?.attributes.timestamp).toBe('2025-01-01T00:00:00')
  })

  it('counts the tests of each suite', () => {
    const root = readXml(reportJunit(mixed()))
    for (const suite of [root, ...root.children]) {
      expect(suite.attributes.tests).toBe(String(below(suite, 'testcase')))
      expect(suite.attributes.failures).toBe(String(below(suite, 'failure')))
      expect(suite.attributes.errors).toBe(String(below(suite, 'error')))
    }
    for (const suite of root.children) expect(suite.attributes.skipped).toBe(String(below(suite, 'skipped')))
  })

  it('shows no match rate if all that differs are errors: only successes with content have one', () => {
    const report = reportOn([{ control: { message: 'a' }, candidate: { message: 'b' }, statuses: [400, 404] }])
    expect(reportJunit(report)).toContain('1 of 1 exchange mismatched (match rate –)')
  })

  it('has a failure if anything mismatched, an error if anything failed, and skipped if everything was', () => {
    const [created, listed, charged] = readXml(reportJunit(mixed())).children
    const outcomes = (suite: XmlElement | undefined) =>
      (suite === undefined ? [] : named(suite, 'testcase')).map(({ attributes, children }) => [
        attributes.classname,
        attributes.name,
        ...children.map(({ name, attributes: { message }, text }) => `${name}: ${message} | ${text}`),
      ])
    expect(outcomes(created)).toEqual([
      ['thing-create', 'answers match'],
      ['thing-create', 'both sides answer'],
    ])
    expect(outcomes(listed)).toEqual([
      [
        'thing-list',
        'answers match',
        'failure: 1 of 2 exchanges mismatched (match rate 50 %) | changed [].rate (v1: items[].rate): in 1 exchange, line 2',
      ],
      ['thing-list', 'both sides answer', 'error: 1 of 3 exchanges failed | control: timeout: 1, line 3'],
    ])
    expect(outcomes(charged)).toEqual([
      ['thing-charges', 'answers match', 'skipped: 1 of 1 exchange skipped | v1 has no equivalent: 1, line 6'],
    ])
  })

  it('shows no test as passed if nothing could be compared', () => {
    const [suite] = readXml(reportJunit(reportOn([{ controlFailure: 'timeout' }]))).children
    expect(suite?.children.map(({ attributes }) => attributes.name)).toEqual(['both sides answer'])
    expect(suite?.attributes).toMatchObject({ tests: '1', errors: '1' })
  })

  it('stays valid XML with any names of members', () => {
    const text = reportJunit(reportOn([{ control: { [HOSTILE]: 1 }, candidate: {} }]))
    expect(
      [...text].filter((character) => /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(character)),
    ).toEqual([])
    const [failure] = readXml(text).children[0]?.children[0]?.children ?? []
    expect(failure?.text).toContain(`<img src=x onerror=alert(1)>`)
  })

  it('has no suite if nothing was replayed', () => {
    expect(readXml(reportJunit(reportOn([]))).children).toEqual([])
  })
})
