/** Returns text that every database takes: PostgreSQL accepts neither U+0000 nor lone surrogates. */
export const cleanText = (text: string): string =>
  isClean(text) ? text : text.replaceAll('\0', '\ufffd').toWellFormed()

/** Whether every database takes a text as it is. Nearly all texts pass, and this check is much faster than cleaning them. */
export const isClean = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Returns JSON whose texts every database takes. */
export const cleanJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? cleanText(each) : each))
