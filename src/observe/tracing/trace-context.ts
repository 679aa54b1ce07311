/** W3C Trace Context, section 3.2: version, which is never ff; trace id and parent id, which are never zeros; flags. */
export const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

export const isTraceParent = (header: unknown): header is string =>
  typeof header === 'string' && TRACEPARENT.test(header)

/** Section 3.3.1.1: a list has no more members. Section 3.3.1.5: so long a one is passed on; a longer one need not be. */
const MAX_MEMBERS = 32
const MAX_LENGTH = 512

/** Section 3.3.1.3: key and value of a member, neither of more than 256 characters. */
const MEMBER = /^[\da-z][\d_a-z*/@-]{0,255}=[ !-+\--<>-~]{0,255}[!-+\--<>-~]$/

/** Whether a `tracestate` is a list that others can read. An empty member is allowed, and counts. */
export function isTraceState(header: unknown): header is string {
  if (typeof header !== 'string' || header === '' || header.length > MAX_LENGTH) return false
  const members = header.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
  return members.length <= MAX_MEMBERS && members.every((member) => member === '' || MEMBER.test(member))
}
