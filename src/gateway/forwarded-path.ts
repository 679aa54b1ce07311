import type { Operation } from '../mapping/operation.ts'

/** The path under which a call is passed on to the legacy service; undefined when there is no such path there. */
export type ForwardedPath = (path: string) => string | undefined

/**
 * Passes paths on as written, without the gateway's own path prefix. Not passed on: what is outside the prefix; dot segments,
 * however they are written, which could leave the prefix of the service's address; v1's own paths, which are not served also
 * where both interfaces are one service.
 */
export function pathForwarder(operations: readonly Operation[], basePath: string): ForwardedPath {
  const v1Root = commonRoot(operations.flatMap(({ v1 }) => (v1 === undefined ? [] : [v1.path])))
  return (path) => {
    if (!path.startsWith(`${basePath}/`)) return undefined
    const own = path.slice(basePath.length)
    const plain = decoded(own)
    if (plain === undefined || own.includes('#') || plain.split(/[/\\]/).some(isDots)) return undefined
    // Some servers take several slashes, or backslashes, for one.
    const merged = plain.replaceAll(/[/\\]+/g, '/').toLowerCase()
    return v1Root !== '/' && merged.startsWith(v1Root.toLowerCase()) ? undefined : own
  }
}

/** `..`, also before the parameters that some servers take for a part of a segment (`..;x`). */
const isDots = (segment: string): boolean => /^\.\.?(;.*)?$/.test(segment)

/** A path without its percent-encoding, however often it is encoded; undefined when there is no end to it. */
function decoded(path: string): string | undefined {
  let plain = path
  for (let times = 0; times < 8; times++) {
    const before = plain
    plain = before.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (plain === before) return plain
  }
  return undefined
}

/** The directory that all paths have in common, with a slash at its end. */
function commonRoot([first = '/', ...others]: readonly string[]): string {
  const parts = first.split('/').slice(0, -1)
  while (!others.every((path) => path.startsWith(`${parts.join('/')}/`))) parts.pop()
  return `${parts.join('/')}/`
}
