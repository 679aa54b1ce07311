import type { Operation } from '../mapping/operation.ts'

/** Returns a call's path at the legacy service; undefined if the call must not be passed on. */
export type ForwardedPath = (path: string) => string | undefined

/**
 * Passes paths on as written, without the gateway's own prefix. Rejects paths outside the prefix; dot segments in any
 * encoding, which could leave the prefix of the service's address; and v1's own paths, which are not served even if one
 * service has both interfaces.
 */
export function pathForwarder(operations: readonly Operation[], basePath: string): ForwardedPath {
  const v1Root = commonRoot(operations.flatMap(({ v1 }) => (v1 === undefined ? [] : [v1.path])))
  return (path) => {
    if (!path.startsWith(`${basePath}/`)) return undefined
    const own = path.slice(basePath.length)
    const plain = decoded(own)
    if (plain === undefined || own.includes('#') || plain.split(/[/\\]/).some(isDots)) return undefined
    // Some servers treat several slashes or backslashes as one.
    const merged = plain.replaceAll(/[/\\]+/g, '/').toLowerCase()
    return v1Root !== '/' && merged.startsWith(v1Root.toLowerCase()) ? undefined : own
  }
}

/** Whether a segment is `.` or `..`, with or without parameters, which some servers accept in a segment (`..;x`). */
const isDots = (segment: string): boolean => /^\.\.?(;.*)?$/.test(segment)

/** Undoes percent-encoding, however many times it was applied; undefined if that takes more than eight rounds. */
function decoded(path: string): string | undefined {
  let plain = path
  for (let times = 0; times < 8; times++) {
    const before = plain
    plain = before.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (plain === before) return plain
  }
  return undefined
}

/** Returns the directory that all paths share, with a trailing slash. */
function commonRoot([first = '/', ...others]: readonly string[]): string {
  const parts = first.split('/').slice(0, -1)
  while (!others.every((path) => path.startsWith(`${parts.join('/')}/`))) parts.pop()
  return `${parts.join('/')}/`
}
