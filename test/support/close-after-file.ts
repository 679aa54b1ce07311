// Hono's mark of an answer that was written already is an ordinary answer if it is made after a server, as it would be in a worker that many files share.
import '@hono/node-server/utils/response'
import { afterAll } from 'vitest'
import { closeAll } from './clean-up.ts'
import { expectRealTimers } from './real-timers.ts'

// Runs once for each test file, even if files share their modules and `closeAtEnd` is loaded only once.
afterAll(closeAll)
afterAll(expectRealTimers)
