import type { Subject } from '../../src/control-plane/evidence/comparable.ts'
import { parseRollout, type Rollout } from '../../src/control-plane/rollout/rollout.ts'
import { get } from '../../src/mapping/operation.ts'

/** A read that v1 has. */
export const aRead = (id: string): Subject => ({ id, v1: get('/'), effect: 'read' })

/** Parses a rollout file about reads, where everything is there. */
export const parseAbout = (ids: readonly string[], text: string, hasLegacy = true, isKept = true): Rollout =>
  parseRollout(text, { operations: ids.map(aRead), hasLegacy, hasCopy: false, isKept, canSign: true, serve: 'v1' })
