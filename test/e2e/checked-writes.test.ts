import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { stagesOf, textOf } from '../support/read-html.ts'
import { runCommand } from '../support/run-command.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const DOCUMENT = '/api/consignment/document'
const [document = {}] = GOOD_BODIES[DOCUMENT] ?? []
const WRITES = 69
const SAYS = '69 writes checked, 1 member is lost'

it(`Switch-off says "${SAYS}", and so do the page, the JSON and the dossier, while one such write is told in the singular`, async () => {
  const operations = { '*': { serve: 'legacy', shadow: 1, shadowWrites: 'translate-only' } }
  const sides = await startSideBySide({ operations })
  const read = async (path: string): Promise<string> => (await callLegacy(sides.adminUrl, { method: 'GET', path })).text
  const stage = async (): Promise<string> =>
    stagesOf(await read('/'))
      .find(([operation]) => operation === 'document')
      ?.join(' ') ?? ''
  const send = (name: string) => sides.call(DOCUMENT, { ...document, gsm: '1', referenceNumbers: [name] })

  await send('0')
  await sides.compared(1)
  expect(await stage()).toContain('1 write checked, 1 member is lost: gsm (1 call, 1 client).')
  for (let nth = 1; nth < WRITES; nth++) await send(`${nth}`)
  const { operations: reports } = await sides.compared(WRITES)

  const whole = `${SAYS}: gsm (69 calls, 1 client)`
  const stages = await stage()
  expect(stages).toContain(`${whole}.`)
  // Checked writes are not "not compared".
  expect(stages).not.toMatch(/not compared|never compared/)
  expect(stages).toMatch(/^document ◐ checked ✗ differs/)
  expect(textOf(await read('/side-by-side/document'))).toContain(whole)
  expect(reports.find(({ operation }) => operation === 'document')).toMatchObject({
    ...{ verdict: 'not ready', droppedMembers: { gsm: WRITES } },
    checked: {
      ...{ writes: WRITES, units: { distinct: WRITES }, inputs: { distinct: WRITES }, clients: { distinct: 1 } },
    },
  })
  const out = join(sides.folder, 'dossier.html')
  await runCommand(['dossier', '--out', out, '--admin', sides.adminUrl], { ADMIN_TOKEN: '' })
  const [firstPage = ''] = readFileSync(out, 'utf8').split('<h2 id=')
  expect(textOf(firstPage)).toContain(`Writes lose data: document: ${whole}.`)
})
