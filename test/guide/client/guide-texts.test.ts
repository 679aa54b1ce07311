import { describe, expect, it } from 'vitest'
import { guideHtml } from '../../../src/guide/client/guide-html.ts'
import { guideMarkdown } from '../../../src/guide/client/guide-markdown.ts'
import { script, shop, used } from './support/clients.ts'
import { guideFor } from './support/guide-for.ts'

const EVIL = '</title><script>alert(1)</script> [x](javascript:1) | `a` **b**\n# c'
const snippets = (code: string) => () => [{ language: 'curl', library: 'curl', code }] as const
/** Its members and values are what no text may take for markup. */
const evil = used(
  'invoice-list',
  3,
  { members: { isPayment: 3 }, other: 3, statuses: { '200': 3 } },
  { body: JSON.stringify({ isPayment: false, '|`x` <b>': '```\n</pre><script>alert(2)</script>' }) },
)
const guide = guideFor([evil], { client: EVIL, snippetsOf: snippets('echo "```" </pre><script>') })

describe('a guide as Markdown', () => {
  const markdown = guideMarkdown(guide)

  it('names a client as it is, on one line', () => {
    expect(markdown.split('\n')[0]).toBe(
      '# Migration guide: \\</title\\>\\<script\\>alert(1)\\</script\\> \\[x\\](javascript:1) \\| \\`a\\` \\*\\*b\\*\\* \\# c',
    )
  })

  it('fences code with more backticks than it has', () => {
    expect(markdown).toContain('````sh\necho "```" </pre><script>\n````')
    expect(markdown).toMatch(/^````http\nPOST /m)
    const fences = markdown.match(/^`{3,}/gm) ?? []
    expect(fences.length % 2).toBe(0)
  })

  it('has as many cells in each row of a table as in its head', () => {
    const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
    expect(rows.length).toBeGreaterThan(3)
    for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(7)
  })

  it('says everything that is in the guide', () => {
    const text = guideMarkdown(guideFor([...shop, ...script.slice(1)]))
    for (const said of [
      '1. Obtain a v1 token at `POST https://v1.test/api/v1/auth/application`',
      '| `products[].unitOfMeasure.code` | `products[].unitOfMeasureCode` | renamed | documented | 40 |',
      '| `406` | `400 CARRIER_IS_NOT_FOUND` |',
      'GET https://v1.test/api/v1/finance/invoices?isPaid=false&page=1&perPage=25\nAuthorization: Bearer <ACCESS_TOKEN>',
      'POST /api/transaction/charge/list has no equivalent at v1.',
      'Removal of the legacy interface: 2027-06-30.',
    ]) {
      expect(text).toContain(said)
    }
  })
})

describe('what a guide says of its calls', () => {
  const textOf = (...usage: Parameters<typeof used>) => guideMarkdown(guideFor([used(...usage)]))
  const ITS_MEMBERS = 'The members are those that you send'
  const EXAMPLE = 'This is an example: it is not known whether you send these members.'

  it('is that they are examples, if none was looked at', () => {
    const text = textOf('document', 9, { calls: 0 })
    expect(text).toContain('None was examined, so what you send is not known.')
    expect(text).toContain(EXAMPLE)
    expect(text).not.toContain(ITS_MEMBERS)
    expect(text).toContain('"recipientAddress": {')
  })

  it('is that they are examples, if what it sends makes no call at v1', () => {
    const text = textOf('import-complete', 9, { other: 9 })
    expect(text).toContain(EXAMPLE)
    expect(text).not.toContain(ITS_MEMBERS)
  })

  it('is nothing of an example where there is none', () => {
    expect(textOf('charge-list', 9, { calls: 0 })).not.toContain('example')
  })

  it('is that the members are its own, if they are', () => {
    const text = textOf('invoice-list', 9, { members: { statusId: 9 } })
    expect(text).toContain(ITS_MEMBERS)
    expect(text).not.toContain(EXAMPLE)
  })
})

describe('a guide as HTML', () => {
  it('escapes all that clients and programs can write', () => {
    const html = guideHtml(guide)
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain(
      '<details><summary>curl</summary><pre>echo &quot;```&quot; &lt;/pre&gt;&lt;script&gt;</pre></details>',
    )
  })

  it('loads nothing', () => {
    expect(guideHtml(guideFor(shop))).not.toMatch(/<(?:script|link|img|iframe)|\bsrc=|url\(|@import/)
  })
})
