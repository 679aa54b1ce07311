import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reportHtml } from '../../../src/control-plane/evidence/report/report-html.ts'
import { HOSTILE, reportOn } from './support/reporting.ts'

const page = reportHtml(
  reportOn([
    {},
    { control: [{ id: 1, rate: 1, stamp: 1 }], candidate: [{ id: 1, rate: null, stamp: 2 }] },
    { controlFailure: 'timeout' },
    { operation: 'thing-charges', skip: 'v1 has no equivalent' },
  ]),
)
const title = (exchanges: Parameters<typeof reportOn>[0]): string | undefined =>
  /<p class="lead">(.*)\.<\/p>/.exec(reportHtml(reportOn(exchanges)))?.[1]

describe('report.html', () => {
  it('is one page without scripts that loads nothing', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\bsrc=|\son\w+=|https?:/i)
    expect(Array.from(page.matchAll(/href="([^"]*)"/g), ([, href]) => href)).toEqual(['#thing-list', '#thing-charges'])
  })

  it('is light or dark as the reader prefers', () => {
    expect(page).toContain('<meta name="color-scheme" content="light dark">')
    expect(page).toContain('prefers-color-scheme: dark')
  })

  it('shows the totals, and the verdict of each operation', () => {
    expect(page).toContain('<div><dt>exchanges</dt><dd>4</dd></div>')
    expect(page).toContain('<div class="mismatched"><dt>mismatched</dt><dd>1</dd></div>')
    expect(page).toContain('<span class="verdict not-ready">not ready</span>')
    expect(page).toContain('<td class="number">50 %</td>')
    expect(page).toContain('<span class="verdict insufficient-data">insufficient data</span>')
  })

  it('shows differences with paths, kinds and lines, and folds ignored ones away with the reason', () => {
    const [counting = '', ignored = ''] = page.split('1 ignored difference')
    expect(counting).toMatch(/<td>type<br><small>number → null: 1<\/small><\/td>\s*<td><code>\[\]\.rate<\/code><\/td>/)
    expect(counting).toContain('<td class="lines">line 2</td>')
    expect(ignored).toContain('<code>[].stamp</code><br><small>rule: it moves</small>')
  })

  it('shows what was not compared and why', () => {
    expect(page).toMatch(/<td>failed<\/td><td>control: timeout<\/td><td class="number">1<\/td>/)
    expect(page).toMatch(/<td>skipped<\/td><td>v1 has no equivalent<\/td>/)
  })

  it.each([
    [[{}, {}], 'All 2 compared exchanges match'],
    [[{}], 'The compared exchange matches'],
    [[{}, { control: [1], candidate: [] }], '1 of 2 compared exchanges differ'],
    [[{}, { controlFailure: 'timeout' }], '1 exchange failed'],
    [[{}, { failure: 'timeout' }], '1 of 2 compared exchanges differ'],
    [[{ skip: 'a write' }], 'Nothing was compared'],
    [[], 'Nothing was compared'],
  ])('says the result first: %#', (exchanges, says) => {
    expect(title(exchanges)).toBe(says)
  })

  it('opens with the verdict on all operations together', () => {
    expect(/<h1>(.*)<\/h1>/.exec(page)?.[1]).toBe('All together: not ready')
    expect(page.indexOf('<h1>')).toBeLessThan(page.lastIndexOf('1 of 2 compared exchanges differ'))
    expect(page).toContain('<title>Side by side: not ready. ')
  })

  it('looks like the dashboard', () => {
    expect(page).toContain(readFileSync('src/common/style.css', 'utf8'))
  })

  it('says what was replayed against which services, with which options and versions', () => {
    const replayed = {
      ...{ file: 'november.ndjson.gz', legacy: 'http://legacy.test', v1: 'http://v1.test/prefix', gateway: '1.2.3' },
      options: ['--include-writes', '--target 0.999'],
    }
    const told = reportHtml(reportOn([{}], { replayed }))
    for (const text of ['november.ndjson.gz', 'http://legacy.test', 'http://v1.test/prefix', '1.2.3']) {
      expect(told).toContain(text)
    }
    expect(told).toContain('<code>--include-writes --target 0.999</code>')
    expect(told).toMatch(/Mapping <code>[0-9a-f]{12}<\/code>, v1 not reported, legacy not reported\./)
  })

  it('says if the replay was stopped, and what could not be read', () => {
    const first = [{ line: 3, problem: 'not JSON' }]
    const stopped = reportHtml(reportOn([{}], { complete: false, unreadable: { count: 2, first } }))
    expect(stopped).toContain('Stopped before the end of the recording.')
    expect(stopped).toContain('2 lines of the recording could not be read')
    expect(stopped).toContain('<li>Line 3: not JSON</li><li>…</li>')
    expect(page).not.toContain('Stopped')
    expect(page).not.toContain('could not be read')
  })

  it('escapes every value', () => {
    const hostile = reportHtml(
      reportOn(
        [{ control: { [HOSTILE]: 1 }, candidate: {} }, { failure: '<b>' }, { operation: '"><u>', skip: '<i>' }],
        {
          unreadable: { count: 1, first: [{ line: 1, problem: '<s>' }] },
        },
      ),
    )
    expect(hostile).not.toMatch(/<img|<b>|<u>|<i>|<s>/)
    expect(hostile).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})
