import { existsSync } from 'node:fs'

/** How Node names a look-up that is under way. */
const LOOK_UP = 'GetAddrInfoReqWrap'

/**
 * Lets the process exit, with the code that it exits with, while name servers hang: call it when everything else that is to be
 * done at the exit is registered. libuv joins its threads at the exit, and one that waits in getaddrinfo cannot be ended; each
 * question takes ten seconds and more. A signal could end the process, but not with a code. So another program takes its place, which the
 * system does without asking threads: Node itself, the only one that is there for sure.
 */
export function exitPastLookUps(): void {
  process.on('exit', (code) => {
    if (!process.getActiveResourcesInfo().includes(LOOK_UP)) return
    // Not everywhere; and where there is no such file it would crash.
    if (process.execve === undefined || !existsSync(process.execPath)) return
    process.execve(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {})
  })
}
