import { hasEscape, stringAt } from '../json/json-walk.ts'
import { nameStandsAt } from './key.ts'
import type { MemberPlan, ObjectPlan } from './plan.ts'

/** Finds the plan's member by the name in `json[start, end)`, which includes its quotes and may contain escapes. */
export function findMember(
  { members, byName }: ObjectPlan,
  json: Uint8Array,
  start: number,
  end: number,
): MemberPlan | undefined {
  for (let index = 0; index < members.length; index++) {
    const member = members[index] as MemberPlan
    if (nameStandsAt(member.key, json, start, end)) return member
  }
  return hasEscape(json, start, end) ? byName.get(stringAt(json, start, end)) : undefined
}
