import { createHash } from 'node:crypto'
import { HOUR_MS } from '../common/time.ts'
import type { Asked, Observation } from './observe-exchange.ts'

/** Returns hashes that tell requests, clients and units apart and reveal nothing about them. */
export function hashesOf({
  input,
  client,
  at,
  isProbe = false,
}: Pick<Asked, 'input' | 'client' | 'at' | 'isProbe'>): Pick<Observation, 'input' | 'client' | 'unit' | 'at'> {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  const hour = at === undefined ? '' : Math.floor(at.getTime() / HOUR_MS)
  return {
    input: input === undefined ? undefined : hash(input).readUInt32BE(0),
    client: client === undefined ? undefined : hash(client).readUInt32BE(0),
    unit: input === undefined || isProbe ? undefined : hash(`${hour}\n${client ?? ''}\n${input}`).readUIntBE(0, 6),
    at: at?.getTime(),
  }
}
