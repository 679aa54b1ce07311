import { keyOf } from './key.ts'
import type { RunWriter } from './run-writer.ts'

/**
 * Members that stay behind in an object whose other members are lifted out of it, as they are written; what stays behind of
 * an object within it is one of them.
 */
export type Leftovers = Uint8Array[]

/** Writes what stays behind of an object: into the object being written, or among what stays behind of the one around it. */
export function leaveBehind(out: RunWriter, name: string, value: Uint8Array, outer: Leftovers | undefined): void {
  const member = Buffer.concat([Buffer.from(keyOf(name)), value])
  if (outer !== undefined) outer.push(member)
  else {
    out.separate()
    out.append(member)
  }
}

/** The text of an object that has these members. */
export function objectOf(members: Leftovers): Buffer {
  return Buffer.from(`{${members.map((member) => Buffer.from(member).toString('latin1')).join(',')}}`, 'latin1')
}
