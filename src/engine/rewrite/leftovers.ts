import { keyOf } from './key.ts'
import type { RunWriter } from './run-writer.ts'

/**
 * The texts of members that stay in an object while others are lifted out of it. The leftovers of an object within it are one
 * of them.
 */
export type Leftovers = Uint8Array[]

/** Writes the leftovers of an object into the object being written, or adds them to the leftovers of the object around it. */
export function leaveBehind(out: RunWriter, name: string, value: Uint8Array, outer: Leftovers | undefined): void {
  const member = Buffer.concat([Buffer.from(keyOf(name)), value])
  if (outer !== undefined) outer.push(member)
  else {
    out.separate()
    out.append(member)
  }
}

/** Builds the text of an object from its members. */
export function objectOf(members: Leftovers): Buffer {
  return Buffer.from(`{${members.map((member) => Buffer.from(member).toString('latin1')).join(',')}}`, 'latin1')
}
