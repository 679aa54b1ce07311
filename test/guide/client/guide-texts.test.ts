import { describe, expect, it } from 'vitest'
import { guideHtml } from '../../../src/guide/client/guide-html.ts'
import { guideMarkdown } from '../../../src/guide/client/guide-markdown.ts'
import { snippetsOf } from '../../../src/guide/snippets/snippets-of.ts'
import { erp, script, shop, used } from './support/clients.ts'
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
  const markdown = guideMarkdown(guide, 'curl')

  it('names a client as it is, on one line', () => {
    expect(markdown.split('\n')[0]).toBe(
      '# Migration guide: \\</title\\>\\<script\\>alert(1)\\</script\\> \\[x\\](javascript:1) \\| \\`a\\` \\*\\*b\\*\\* \\# c',
    )
  })

  it('fences code with more backticks than it has', () => {
    expect(markdown).toContain('````sh\necho "```" </pre><script>\n````')
    expect(markdown).toMatch(/^````json\n\{\n {2}"isPayment": false,/m)
    const fences = markdown.match(/^`{3,}/gm) ?? []
    expect(fences.length % 2).toBe(0)
  })

  it('writes what clients sent as code in a line of its own', () => {
    expect(markdown).toContain(
      '\n- ``\\|`x` <b>``: v1 does not list it: leave it out, as the gateway does; only those of the call above are known by name; assumed: ',
    )
  })

  it('says everything that is in the guide', () => {
    const text = guideMarkdown(guideFor([...shop, ...script.slice(1)]), 'curl')
    for (const said of [
      '1. Obtain a v1 token at `POST https://v1.test/api/v1/auth/application`',
      '\n- `products[].unitOfMeasure.code` → `products[].unitOfMeasureCode`\n',
      '\n- `dateAtBetween.startAt` → `?dateFrom` (30): moves into the query: v1 takes dates as YYYY-MM-DD only; not in the call above, but in other calls of yours; assumed: ',
      '\n- `406` → `400 CARRIER_IS_NOT_FOUND` (2): [Errors](#errors)\n',
      '\n- `data[].dateAt` → `items[].dateAt`: [Timestamps](#timestamps)\n',
      "```sh\ncurl -X GET 'https://v1.test/api/v1/finance/invoices?isPaid=false&page=1&perPage=25'\n```",
      '## charge-list\n\n`POST /api/transaction/charge/list`: 7 calls, the last on 2026-11-20. v1 has no equivalent.',
      'A GET with query parameters replaces a POST with a body',
      'Removal of the legacy interface: 2027-06-30.',
    ]) {
      expect(text).toContain(said)
    }
  })

  it('begins with what the client must know first, and links to it', () => {
    const [top = ''] = guideMarkdown(guideFor([...shop, ...script.slice(1)]), 'curl').split('\n## Steps')
    expect(top.split('\n').slice(2)).toEqual([
      'You call 3 operations: v1 has equivalents for 2, and none for 1. Removal of the legacy interface: 2027-06-30. v1: `https://v1.test`.',
      '',
      'Work first on:',
      '',
      '- [charge-list](#charge-list): v1 has no equivalent.',
      '- [package](#package): v1 has no `products[].unitOfMeasure.name`, `orderData`.',
      '- [invoice-list](#invoice-list): 5 changes of its own.',
      '',
      'What changes for all calls: [tokens](#tokens), [answers](#answers), [timestamps](#timestamps), [pages](#pages) and [errors](#errors).',
      '',
      'Made on 2026-11-23 from what your calls showed since 2026-02-01: names, statuses and counts. It leaves out what your calls do not use.',
      '',
    ])
  })

  it('links only to headings that it has, and to each operation from a step', () => {
    const text = guideMarkdown(guideFor([...shop, ...script.slice(1), ...erp]), 'curl')
    const ids = Array.from(text.matchAll(/^##+ (.+)$/gm), ([, title = '']) => title.toLowerCase().replaceAll(' ', '-'))
    const links = new Set(Array.from(text.matchAll(/\]\(#([^)]+)\)/g), ([, id]) => id))
    expect([...links].filter((id) => !ids.includes(id ?? ''))).toEqual([])
    const steps = text.slice(text.indexOf('## Steps'), text.indexOf('## For all calls'))
    for (const operation of ['charge-list', 'package', 'invoice-list', 'unit-list'])
      expect(steps).toContain(`[${operation}](#${operation})`)
  })

  it('says how many calls showed a change, unless all that could did', () => {
    const seen = {
      members: { page: 9, isPayment: 4 },
      answered: { pagination: 8, 'pagination.count': 8, 'data[].currency.code': 5 },
      statuses: { '200': 8, '400': 1 },
    }
    const lines = guideMarkdown(guideFor([used('invoice-list', 9, seen)]), 'curl').split('\n')
    const lineWith = (text: string) => lines.find((line) => line.startsWith('- ') && line.includes(text))
    expect(lineWith('`?page`')).not.toMatch(/\(\d/)
    expect(lineWith('`isPayment`')).toContain('`?isPaid` (4)')
    expect(lineWith('`pagination.count`')).not.toMatch(/\(\d/)
    expect(lineWith('`data[].currency.code`')).toContain('`items[].currencyCode` (5)')
    expect(lineWith('`400`')).toContain('`422 VALIDATION_FAILED` (1)')
  })

  it('shows of the call before only what v1’s body does not have', () => {
    const text = guideMarkdown(guideFor(shop), 'curl')
    expect(text).toMatch(/advance`, whose body differs from v1’s in\n\n```json\n\{\n {2}"products": \[[^`]*\n\}\n```/)
    expect(text).not.toMatch(/```json[^`]*"recipientAddress"/)
    const same = used('document', 2, {}, { body: '{"recipientAddress":{"city":"Köln"},"senderAddressId":1.0}' })
    expect(guideMarkdown(guideFor([same]), 'curl')).toContain(
      'Before (your typical call, 2 of 2): `POST https://legacy.test/api/consignment/document`, with the same body as at v1\n',
    )
  })

  it('has programs in the language that was asked for, and in no other', () => {
    const inAll = guideFor([...shop, ...erp], { snippetsOf })
    for (const [language, fence] of [
      ['curl', 'sh'],
      ['PHP', 'php'],
      ['Java', 'java'],
    ] as const) {
      const fences = Array.from(guideMarkdown(inAll, language).matchAll(/^```(\w+)$/gm), ([, name]) => name)
      expect(fences.filter((name) => name !== 'json')).toEqual(Array.from({ length: 8 }, () => fence))
    }
  })
})

describe('the programs of a guide as Markdown', () => {
  const inAll = guideFor([...shop, ...erp], { snippetsOf })
  const programsIn = (text: string, fence: string) =>
    Array.from(
      text.matchAll(new RegExp(`^At v1(.*):\\n\\n\`\`\`${fence}\\n([^\`]*)\\n\`\`\`$`, 'gm')),
      ([, rest, code]) => ({
        rest,
        code,
      }),
    )

  it('leave out the many lines that they share with the first, and say where these are', () => {
    const [whole, ...others] = programsIn(guideMarkdown(inAll, 'Java'), 'java')
    expect(whole).toEqual({ rest: '', code: expect.stringMatching(/^import java.*\n\}$/s) })
    expect(others).toHaveLength(7)
    for (const { rest, code } of others) {
      expect(rest).toBe(' (the other lines as in [invoice-list](#invoice-list))')
      expect(code).toMatch(/^ +\.uri\(java\.net\.URI\.create\("https:\/\/v1\.test\//m)
      expect(code).not.toMatch(/^import|System\.out/m)
    }
  })

  it('are whole where they share little, and in the other forms', () => {
    const programs = programsIn(guideMarkdown(inAll, 'curl'), 'sh')
    expect(programs.map(({ rest }) => rest)).toEqual(Array.from({ length: 8 }, () => ''))
    for (const { code } of programs) expect(code).toMatch(/^curl .*--write-out/s)
    expect(guideHtml(inAll, 'Java').match(/class CallV1/g)).toHaveLength(8)
  })
})

describe('what a guide says of its calls', () => {
  const textOf = (...usage: Parameters<typeof used>) => guideMarkdown(guideFor([used(...usage)]), 'curl')
  const ITS_MEMBERS = 'with the members that you send, and values that are examples'
  const EXAMPLE = 'an example, because it is not known whether you send these members'

  it('is that they are examples, if none was looked at', () => {
    const text = guideMarkdown(guideFor([used('document', 9, { calls: 0 })], { snippetsOf }), 'curl')
    expect(text).toContain('It is not known what else changes, because no call was examined: [document](#document).')
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
    const html = guideHtml(guide, 'curl')
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('<pre>echo &quot;```&quot; &lt;/pre&gt;&lt;script&gt;</pre>')
  })

  it('loads nothing', () => {
    expect(guideHtml(guideFor(shop), 'curl')).not.toMatch(/<(?:script|link|img|iframe)|\bsrc=|url\(|@import/)
  })

  it('links only to parts that it has', () => {
    const html = guideHtml(guideFor([...shop, ...script.slice(1), ...erp]), 'PHP')
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    const links = Array.from(html.matchAll(/ href="#([^"]+)"/g), ([, id]) => id)
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(html.match(/<input[^>]* checked>/g)).toEqual(['<input type="radio" name="snippets" id="in-PHP" checked>'])
  })
})
