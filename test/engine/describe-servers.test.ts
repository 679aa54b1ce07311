import { describe, expect, it } from 'vitest'
import { describeServers, originOf } from '../../src/guide/openapi/legacy-openapi.ts'

describe('the origin of the legacy interface', () => {
  it.each([
    ['0.0.0.0', 'gateway.internal', 'http://gateway.internal:8080'],
    ['0.0.0.0', '[::1]', 'http://[::1]:8080'],
    ['::', 'localhost', 'http://localhost:8080'],
    ['0:0:0:0:0:0:0:0', 'localhost', 'http://localhost:8080'],
    ['127.0.0.1', 'localhost', 'http://127.0.0.1:8080'],
    ['legacy.internal', 'localhost', 'http://legacy.internal:8080'],
    ['fd00::1', 'localhost', 'http://[fd00::1]:8080'],
  ])('listening on %s and requested under %s is %s', (host, asked, origin) => {
    expect(originOf({ host, port: 8080 }, asked)).toBe(origin)
  })

  it('leaves out a default port', () => {
    expect(originOf({ host: 'legacy.internal', port: 80 }, 'localhost')).toBe('http://legacy.internal')
  })
})

it('the servers are that address, and the same with a variable for the origin', () => {
  expect(describeServers('http://legacy.internal', '/old')).toMatchObject([
    { url: 'http://legacy.internal/old' },
    { url: '{origin}/old', variables: { origin: { default: 'http://legacy.internal' } } },
  ])
})
