import { existsSync } from 'node:fs'

/** Node's name for a running look-up. */
const LOOK_UP = 'GetAddrInfoReqWrap'

/**
 * Lets the process exit with its own code while name servers hang. Call it after all other exit handlers are registered.
 * At exit, libuv joins its threads. A thread that waits in getaddrinfo cannot be stopped, and a query may
 * take ten seconds or more. A signal would end the process, but without an exit code. So another program replaces the
 * process, which the system does without waiting for threads. That program is Node itself, the only one that is
 * certainly installed.
 */
export function exitPastLookUps(): void {
  process.on('exit', (code) => {
    if (!process.getActiveResourcesInfo().includes(LOOK_UP)) return
    // Not every system has execve, and it would crash if the file did not exist.
    if (process.execve === undefined || !existsSync(process.execPath)) return
    process.execve(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {})
  })
}
