import { isNamedLikeRecording } from '../../recording/find-recordings.ts'

/** Matches an option, also with a dash of a text processor. */
const OPTION = /^[-\u2010-\u2015\u2212]/
/** Matches an option whose value is a secret, of which a part may follow as a word of its own. */
const SECRET = /(?:token|key|secret|id)\b/i

/**
 * Whether a path may be a secret after a mistyped option, so that no message may show it. A word that is named like a recording, or
 * does not follow an option, is a path.
 * @param words the command line.
 */
export const mayBeSecret =
  (words: readonly string[]) =>
  (path: string): boolean => {
    if (isNamedLikeRecording(path)) return false
    const at = words.indexOf(path)
    const [before = '', last = ''] = [words[at - 2], words[at - 1]]
    return OPTION.test(last) || (OPTION.test(before) && SECRET.test(before))
  }
