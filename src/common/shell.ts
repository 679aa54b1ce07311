/** Quotes a text. Within single quotes, only a single quote is special (POSIX, Shell Command Language 2.2.2). */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Writes a text as one word of a command, with quotes only where a shell needs them. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : quoted(text))
