import { afterAll } from 'vitest'
import { closeAll } from './clean-up.ts'

// Runs once for each test file, even if files share their modules and `closeAtEnd` is loaded only once.
afterAll(closeAll)
