/** Matches what jsonb refuses: U+0000, and half a surrogate pair. Member names in answers may hold both. */
const NOT_IN_JSONB = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g

/** Returns JSON that PostgreSQL's jsonb accepts; characters that it refuses become U+FFFD. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(NOT_IN_JSONB, (found) => (found === '\\\\' ? found : '\\ufffd'))
