/** Replaces what could control a terminal, or cannot be seen: it comes from services, clients and other people. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\ufffd')

/** Writes JSON that controls no terminal either: in JSON, what is replaced is in texts alone, where it may be escaped. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]/gu, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
