import { StartError } from '../data-plane/http/listen.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { SandboxConfig } from './command-config.ts'

/**
 * Starts the sandbox as configured, and loads its code only then: a process with a real v1 has none of it.
 * @param deviate the text of a file of deviations from the contract.
 * @throws StartError that names the variables. An error that lists the mistakes in `deviate`, by the name `DeviationsError`.
 */
export async function startConfiguredSandbox(
  config: SandboxConfig,
  host: string,
  deviate?: string | undefined,
): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/start-sandbox.ts')
  const { sandboxV1Port: v1Port, sandboxLegacyPort: legacyPort, sandboxDb: db } = config
  return startSandbox({ host, v1Port, legacyPort, db, deviate }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'DeviationsError') throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(`${variableOf(why)}: ${why}`, { cause: error })
  })
}

/** Returns the variables that say what cannot be used: an address, or the database. */
function variableOf(why: string): string {
  if (why.startsWith('Sandbox v1')) return 'HOST, SANDBOX_V1_PORT'
  return why.startsWith('Sandbox legacy') ? 'HOST, SANDBOX_LEGACY_PORT' : 'SANDBOX_DB'
}
