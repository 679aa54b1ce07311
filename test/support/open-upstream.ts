import {
  openUpstream,
  type Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
} from '../../src/data-plane/upstream/upstream.ts'
import { closeAtEnd } from './clean-up.ts'

/** A time-out for services that do not answer in time, short enough for a test to wait for. */
export const TIMEOUT_MS = 500

/** An upstream until the file's tests have run. By default it waits as long as a busy machine may take. */
export function openTestUpstream(url: string, options: Partial<UpstreamOptions> = {}): Upstream {
  const upstream = openUpstream({ baseUrl: new URL(url), timeoutMs: 20_000, ...options })
  // A test may have closed it already.
  closeAtEnd(() => upstream.close().catch(() => undefined))
  return upstream
}

/** A read, which may be repeated. */
export const read: UpstreamRequest = {
  method: 'GET',
  path: '/list?a=1',
  headers: {},
  body: undefined,
  repeatable: true,
}

/** A write, which must not be repeated. */
export const write: UpstreamRequest = {
  method: 'POST',
  path: '/things',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a":1}'),
  repeatable: false,
}
