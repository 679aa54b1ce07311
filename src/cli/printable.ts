/** Replaces characters that could control a terminal or cannot be seen. The text comes from services, clients or other people. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\ufffd')

/** Writes JSON that cannot control a terminal. It escapes such characters: in JSON they occur only within strings. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]/gu, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
