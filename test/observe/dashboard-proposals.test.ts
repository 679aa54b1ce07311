import { expect, it } from 'vitest'
import type { OperationProposals } from '../../src/control-plane/evidence/proposals/proposals.ts'
import { dashboardSources, difference, experiment, noExperiments } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, stagesOf, textOf } from '../support/read-html.ts'
import { someProposals } from '../support/some-proposals.ts'

const EMPTY = { proposals: [], unexplained: [], requests: [], limits: [], trial: null, file: { operations: {} } }

async function pageOf(found: Partial<OperationProposals>, path = '/side-by-side/invoice-list'): Promise<string> {
  const refuted = experiment('invoice-list', { verdict: 'not ready', differences: [difference()] })
  const { get } = await openDashboard(
    dashboardSources({
      proposals: () => ({ operations: [{ ...someProposals, ...found }] }),
      experiments: () => ({ ...noExperiments, operations: [refuted] }),
    }),
  )
  return (await get(path)).text
}

const items = (html: string, id: string): readonly string[] => {
  const list = new RegExp(`<ul id="${id}"[^>]*>([\\s\\S]*?)</ul>`).exec(html)?.[1] ?? ''
  return Array.from(list.matchAll(/<li>([\s\S]*?)<\/li>/g), ([, item = '']) => textOf(`<main>${item}`).trim())
}

it('the first section of the page of an operation has its proposals, each in a sentence with its evidence', async () => {
  const html = await pageOf({})
  expect(html.match(/<h2[^>]*>/)?.[0]).toBe('<h2 id="proposals">')
  expect(items(html, 'proposed').map((text) => text.replaceAll(/ ([:,.])/g, '$1'))).toEqual([
    'certain: data[].currency.updatedAt ← items[].currency.changed; v1 writes milliseconds and Z, legacy +00:00 and no milliseconds. Equal in 9,720 places of 120 exchanges, 81 different values, 14 inputs. Settles missing data[].currency.updatedAt, extra data[].currency.changed.',
    'ambiguous: data[].weight ← items[].packages.chargeableWeight. Equal in 9,720 places of 120 exchanges, 40 different values, 14 inputs. Settles missing data[].weight. Or items[].packages.theWeightThatTheScalesShowedInKilograms; what would tell: an exchange in which items[].packages.chargeableWeight and items[].packages.theWeightThatTheScalesShowedInKilograms differ.',
    'certain: data[].madeBy: not answered. Only v1 has it, in 9,720 places of 120 exchanges, 14 inputs. Settles extra data[].madeBy.',
  ])
  expect(textOf(html)).toContain(
    'In trial since 2025-03-03 08:00:00 : of 240 exchanges, 238 match and 2 still differ; 1 difference settled, no new difference.',
  )
})

it('it has the file to copy, as it stands in GET /proposals', async () => {
  const html = await pageOf({})
  const file = /<pre id="mapping-file">([^<]*)<\/pre>/.exec(html)?.[1] ?? ''
  expect(JSON.parse(file.replaceAll('&quot;', '"'))).toEqual(someProposals.file)
  expect(textOf(html)).toContain('To take over the 2 certain lines, put this into the file that MAPPING_FILE names.')
})

it('it says what no line explains, what v1 does not get of requests, and what bounds cut off', async () => {
  const html = await pageOf({})
  expect(items(html, 'unexplained').at(-1)).toBe(
    'data[].priceTry changed : agrees with items[].priceTry in 9,412 of 9,720 places',
  )
  expect(rowsOf(html, 'requests')).toEqual([
    ['cityName', '40', '3', 'the mapping does not send it', '–'],
    ['search', '2', '1', 'legacy accepts it, v1 refuses it', 'query.search'],
  ])
  expect(textOf(html)).toContain('of a large answer of v1, only the first rows were looked at')
})

it('without a certain line there is no file, and without proposals no section', async () => {
  const ambiguous = await pageOf({ ...EMPTY, proposals: someProposals.proposals.slice(1, 2) })
  expect(items(ambiguous, 'proposed')).toHaveLength(1)
  expect(ambiguous).not.toContain('mapping-file')
  expect(await pageOf(EMPTY)).not.toContain('id="proposals"')
  expect(await pageOf({}, '/side-by-side/price')).not.toContain('id="proposals"')
})

it('Switch-off says how many lines are proposed where an operation waits for differences', async () => {
  const waiting = stagesOf(await pageOf({}, '/')).find(([id]) => id === 'invoice-list')
  expect(waiting?.join(' ')).toContain('3 lines of its mapping are proposed, 2 of them certain')
  const one = await pageOf({ ...EMPTY, proposals: someProposals.proposals.slice(1, 2) }, '/')
  expect(textOf(one)).toContain('1 line of its mapping is proposed, and it is not certain')
  expect(textOf(await pageOf(EMPTY, '/'))).not.toContain('proposed')
})
