import { afterAll } from 'vitest'
import { closeAll } from './clean-up.ts'

// Runs once for each test file, also where files share their modules and the module of `closeAtEnd` is loaded only once.
afterAll(closeAll)
