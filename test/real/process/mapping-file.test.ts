import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Corrections } from '../../../src/mapping/corrections/corrections.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { logOf, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { makeFolder } from '../start-program.ts'

/** Corrects the list of countries, so that this member is null. */
const without = (member: string): Corrections => ({
  operations: { 'country-list': { response: { [`[].${member}`]: { lost: 'v1 does not know it' } } } },
})

/** A gateway in a process of its own, on its sandbox. */
async function startBed(first: Corrections) {
  const folder = makeFolder()
  const [mappingFile, faultFile] = [join(folder, 'mapping.json'), join(folder, 'fault')]
  const put = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  put(mappingFile, JSON.stringify(first))
  const gateway = startService('serve', {
    ...{ MAPPING_FILE: mappingFile, FAULT_FILE: faultFile, SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' },
    ...{ SERVE: 'v1' },
    NODE_OPTIONS: `--import ${new URL('../../support/control-plane-faults.ts', import.meta.url).href}`,
  })
  const { legacy, admin } = await servingAt(gateway)
  return {
    gateway,
    mapping: (file: Corrections | string) => put(mappingFile, typeof file === 'string' ? file : JSON.stringify(file)),
    /** Ends the control plane. */
    end: () => put(faultFile, 'end'),
    /** The members of a country that are null. */
    async nulls(): Promise<readonly string[]> {
      const { text } = await callLegacy(legacy, { path: '/country/all?code=DE' })
      const [country = {}] = JSON.parse(text) as readonly object[]
      return Object.entries(country).flatMap(([name, value]) => (value === null ? [name] : []))
    },
    readyz: async () => JSON.parse((await callLegacy(admin, { path: '/readyz' })).text) as Record<string, unknown>,
    says: (message: string) => logOf(gateway).filter(({ msg }) => String(msg).startsWith(message)).length,
  }
}

it('a control plane that is started again reads the mapping file anew, and calls stay corrected meanwhile', async () => {
  const bed = await startBed(without('flagW20'))
  expect(await bed.nulls()).toEqual(['flagW20'])
  bed.end()
  await until(() => bed.says('the control plane has ended') === 1)
  expect(await bed.nulls()).toEqual(['flagW20'])
  bed.mapping(without('flagW40'))
  await until(() => bed.says('the control plane is back') === 1)
  await until(async () => (await bed.nulls()).join() === 'flagW40')
  expect(await bed.readyz()).toMatchObject({ mapping: 'in effect', controlPlane: { restarts: 1 } })
  bed.mapping(without('phoneCode'))
  await until(async () => (await bed.nulls()).join() === 'phoneCode')
}, 60_000)

it('a control plane that ends while the mapping file has a mistake is back once it is right; calls stay corrected', async () => {
  const bed = await startBed(without('flagW20'))
  bed.mapping('{"operations":{"country-lits":{}}}')
  await until(() => bed.says('MAPPING_FILE is refused') === 1)
  bed.end()
  await until(() => bed.says('the control plane cannot be started') >= 1)
  expect(await bed.nulls()).toEqual(['flagW20'])
  bed.mapping(without('flagW40'))
  await until(() => bed.says('the control plane is back') === 1)
  expect(await bed.nulls()).toEqual(['flagW40'])
}, 60_000)
