/** Returns text that every database takes: PostgreSQL's has no U+0000, and no half of a surrogate pair. */
export const cleanText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** Returns JSON whose texts every database takes. */
export const cleanJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? cleanText(each) : each))
