/** W3C Trace Context, section 3.2: version, never ff; trace id and parent id, never all zeros; flags. */
export const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

export const isTraceParent = (header: unknown): header is string =>
  typeof header === 'string' && TRACEPARENT.test(header)

/** Section 3.3.1.1: the most members of a list. Section 3.3.1.5: the length that must be passed on; a longer list need not be. */
const MAX_MEMBERS = 32
const MAX_LENGTH = 512

/** Section 3.3.1.3: key and value of a member, each of at most 256 characters. */
const MEMBER = /^[\da-z][\d_a-z*/@-]{0,255}=[ !-+\--<>-~]{0,255}[!-+\--<>-~]$/

/** Whether a `tracestate` is a valid list. Empty members are allowed and count. */
export function isTraceState(header: unknown): header is string {
  if (typeof header !== 'string' || header === '' || header.length > MAX_LENGTH) return false
  const members = header.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
  return members.length <= MAX_MEMBERS && members.every((member) => member === '' || MEMBER.test(member))
}
