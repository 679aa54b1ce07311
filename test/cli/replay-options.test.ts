import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { OptionsError } from '../../src/cli/printing.ts'
import { type ReplayOptions, settingsOf } from '../../src/cli/replay-options.ts'

const nowhere = readConfig({})
const somewhere = readConfig({ LEGACY_BASE_URL: 'http://legacy.example/old', V1_BASE_URL: 'http://v1.example' })
/** As they are when none is given. */
const defaults = { report: 'report', concurrency: '4', confirm: true }

function problemsOf(options: Partial<ReplayOptions>, config = somewhere): readonly string[] {
  try {
    settingsOf({ ...defaults, ...options }, config)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(OptionsError)
    return (error as Error).message.split('\n')
  }
}

describe('the options of a replay', () => {
  it('default to the sides of the configuration and the target of the rollout file', () => {
    expect(settingsOf(defaults, somewhere)).toEqual({
      legacyUrl: new URL('http://legacy.example/old'),
      v1Url: new URL('http://v1.example'),
      tokenKeys: [],
      credentials: { legacyToken: undefined, v1Token: undefined },
      repeatControl: false,
      confirm: true,
      includeWrites: false,
      target: undefined,
      concurrency: 4,
      rate: undefined,
    })
  })

  it('take precedence over the configuration', () => {
    const options = {
      ...{ legacy: 'http://a.example', v1: 'http://b.example/x', clientId: 'me', secretKey: 'hush' },
      ...({
        target: '0.999',
        concurrency: '1000',
        rate: '0.5',
        repeatControl: true,
        confirm: false,
        includeWrites: true,
        theseAreCopies: true,
      } as const),
    }
    expect(settingsOf({ ...defaults, ...options }, somewhere)).toEqual({
      legacyUrl: new URL('http://a.example'),
      v1Url: new URL('http://b.example/x'),
      tokenKeys: [],
      credentials: { clientId: 'me', secretKey: 'hush' },
      repeatControl: true,
      confirm: false,
      includeWrites: true,
      target: 0.999,
      concurrency: 1000,
      rate: 0.5,
    })
  })

  it.each<readonly [string, Partial<ReplayOptions>, RegExp]>([
    ['a side that is no URL', { v1: 'example' }, /^--v1 must be an http or https URL/],
    ['a side of another protocol', { legacy: 'ftp://example.com' }, /^--legacy must be an http or https URL/],
    ['a side with a password', { legacy: 'http://me:hush@example.com' }, /^--legacy must be .* without .*credentials/],
    ['an empty side', { v1: '' }, /^--v1 is empty$/],
    ['a client without its key', { clientId: 'me' }, /^--client-id and --secret-key must both be given/],
    ['a key without its client', { secretKey: 'hush' }, /^--client-id and --secret-key must both be given/],
    ['an empty key', { clientId: 'me', secretKey: '' }, /^--client-id and --secret-key must both be given/],
    [
      'an account and a token',
      { clientId: 'me', secretKey: 'hush', v1Token: 'hush' },
      /cannot be used with .*--v1-token$/,
    ],
    ['a token with its scheme', { v1Token: 'Bearer hush' }, /^--v1-token must be the token alone, without Bearer$/],
    ['an empty token', { legacyToken: '' }, /^--legacy-token must be the token alone/],
    ['a target of 0', { target: '0' }, /^--target must be a number between 0 and 1/],
    ['a target of 1', { target: '1' }, /^--target must be/],
    ['a target that is no number', { target: 'high' }, /^--target must be/],
    ['an empty target', { target: '' }, /^--target must be/],
    ['no exchange at a time', { concurrency: '0' }, /^--concurrency must be a whole number from 1 to 1000$/],
    ['half an exchange at a time', { concurrency: '1.5' }, /^--concurrency must be/],
    ['too many exchanges at a time', { concurrency: '1001' }, /^--concurrency must be/],
    ['no exchange a second', { rate: '0' }, /^--rate must be a number above 0$/],
    ['endless exchanges a second', { rate: 'Infinity' }, /^--rate must be/],
    ['writes to what may be no copy', { includeWrites: true }, /^--include-writes .* with --these-are-copies$/],
    [
      'writes of which one goes elsewhere',
      { includeWrites: true, legacy: 'http://localhost:1' },
      /--these-are-copies$/,
    ],
    [
      'writes to a name that only looks like this machine',
      { includeWrites: true, legacy: 'http://localhost', v1: 'http://127.0.0.1.example' },
      /--these-are-copies$/,
    ],
    ['reports that go nowhere', { report: '' }, /^--report is empty$/],
  ])('are refused without showing a secret: %s', (_, options, says) => {
    const problems = problemsOf(options)
    expect(problems).toEqual([expect.stringMatching(says)])
    expect(problems.join()).not.toContain('hush')
  })

  it.each(['http://localhost:1', 'http://127.0.0.2', 'http://127.1', 'http://[::1]:2'])(
    'let writes go to %s',
    (url) => {
      expect(problemsOf({ includeWrites: true, legacy: url, v1: url })).toEqual([])
    },
  )

  it('name the option and the variable of a missing side', () => {
    expect(problemsOf({}, nowhere)).toEqual([
      '--legacy is missing: give it, or set LEGACY_BASE_URL',
      '--v1 is missing: give it, or set V1_BASE_URL',
    ])
  })

  it('are refused all at once', () => {
    expect(problemsOf({ v1: 'x', rate: 'x', clientId: 'me', legacyToken: 'a b' }, nowhere)).toHaveLength(6)
  })
})
