import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import en from '../../mappings/messages/en.json' with { type: 'json' }
import tr from '../../mappings/messages/tr.json' with { type: 'json' }
import { explain } from '../../src/guide/lines/explain.ts'
import { describeReference } from '../../src/guide/reference/describe-reference.ts'

const reference = describeReference(operations, { en, tr })

/** The section of an operation, from its heading to the next one. */
function sectionOf(id: string): string {
  const [, section = ''] = reference.split(`\n## ${id}\n`)
  return section.split('\n## ')[0] ?? ''
}

describe('the reference', () => {
  it('lists every operation, with both its routes and a link to its section', () => {
    for (const { id, legacy, v1 } of operations) {
      const routes = `\`${legacy.method} ${legacy.path}\` | ${v1 === undefined ? '—' : `\`${v1.method} ${v1.path}\``}`
      expect(reference).toContain(`| [${id}](#${id}) | ${routes} |`)
      expect(sectionOf(id), id).not.toBe('')
    }
  })

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: has every member that the mapping explains, and every reason',
    (id, operation) => {
      const section = sectionOf(id)
      for (const { part, legacy, v1, reason } of explain(operation)) {
        if (part !== 'request' && part !== 'answer') continue
        for (const place of [legacy, v1]) {
          if (place !== null && /^[\w.[\]?{}]+$/.test(place) && !/^\d/.test(place)) {
            expect(section.includes(`\`${legacy}\``) || section.includes(`\`${place}\``), place).toBe(true)
          }
        }
        if (reason !== null) expect(section).toContain(reason)
      }
    },
  )

  it('counts assumptions and losses of an operation, without those that hold for all', () => {
    const [assumptions, losses] = [4, 0]
    expect(reference).toMatch(
      new RegExp(`^\\| \\[import-complete\\].* \\| write \\| ${assumptions} \\| ${losses} \\|$`, 'm'),
    )
  })

  it('has tables whose rows all have as many cells as the head', () => {
    const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length
    const lines = reference.split('\n')
    const wrong = lines.filter((line, index) => {
      const above = lines[index - 1] ?? ''
      return line.startsWith('|') && above.startsWith('|') && cells(line) !== cells(above)
    })
    expect(wrong).toEqual([])
  })

  it('has links that lead to a heading', () => {
    const anchors = new Set(
      [...reference.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
    const links = [...reference.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(links.length).toBeGreaterThan(operations.length)
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })

  it('shows examples that the gateway really translates so', () => {
    expect(sectionOf('invoice-list')).toMatch(
      /`GET \/api\/v1\/finance\/invoices\?[^`]*&isPaid=false&[^`]*&page=1&perPage=25`/,
    )
    expect(sectionOf('invoice-list')).toContain('"dateAt": "2025-01-31T10:24:19+00:00"')
    expect(sectionOf('package')).toContain('"unitOfMeasureCode": "C62"')
    // Filled in from the example of the currency list.
    expect(sectionOf('package')).toMatch(/"currency": \{[^}]*"updatedAt": "2025-01-31T10:24:19\+00:00"/)
  })
})
