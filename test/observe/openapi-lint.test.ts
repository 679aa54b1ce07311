import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { describeOpenapi } from '../../src/guide/openapi/legacy-openapi.ts'

const document = describeOpenapi(operations, { origin: 'http://127.0.0.1:8080', basePath: '/old', version: '1.0.0' })
const source = JSON.stringify(document)

/** Facts that no gateway knows: who owns the legacy interface, and under what terms it may be used. */
const UNKNOWN = ['info-contact', 'info-license']

const fixable = (problems: readonly { readonly rule: string }[]) =>
  problems.filter(({ rule }) => !UNKNOWN.includes(rule))

test('Spectral finds nothing wrong with the description (spectral:oas)', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, 'recommended']] }))
  const found = await linter.run(JSON.parse(source) as Record<string, unknown>)
  expect(found.map(({ code }) => code)).toContain('info-contact')
  expect(fixable(found.map(({ code, message, path }) => ({ rule: String(code), message, path })))).toEqual([])
})

test('Redocly finds nothing wrong with the description (recommended)', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  expect(found.map(({ ruleId }) => ruleId)).toContain('info-license')
  const problems = found.map(({ ruleId, message, location: [at] }) => ({ rule: ruleId, message, at: at?.pointer }))
  expect(fixable(problems)).toEqual([])
})
