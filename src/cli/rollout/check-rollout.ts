import { operations } from '../../../mappings/index.ts'
import { readRolloutConfig } from '../../app/command-config.ts'
import { printable } from '../printable.ts'
import { describeRollout } from './describe-rollout.ts'
import { orExitCode } from './or-exit-code.ts'
import { byDefault, hasLegacy, readRollout } from './read-rollout.ts'

/** `legacy-gateway rollout check FILE`: prints what the file means. Returns the exit code. */
export const checkRollout = (file: string): Promise<number> =>
  orExitCode(async () => {
    const config = readRolloutConfig()
    const lines = [...describeRollout(readRollout(file, config), operations, hasLegacy(config)), '', byDefault(config)]
    process.stdout.write(`${lines.map(printable).join('\n')}\n`)
  })
