import { readFileSync } from 'node:fs'
import { reasonOf } from '../common/reason-of.ts'
import { OptionsError } from './printing.ts'

/** A secret as the command line gives it: itself, which other users of the machine can see, or the file that holds it. */
interface WrittenSecret {
  /** The option for the secret itself; the one for the file ends in `-file`. */
  readonly option: string
  readonly value: string | undefined
  readonly file: string | undefined
}

/**
 * Returns a secret, without the end of its line if it is in a file. Undefined: the command line has none.
 * @throws OptionsError, which never shows the secret, nor the name of a file: it may be the secret, by mistake.
 */
export function secretOf({ option, value, file }: WrittenSecret): string | undefined {
  if (file === undefined) return value
  if (value !== undefined) throw new OptionsError(`${option} and ${option}-file are both given: give one of them`)
  const secret = textOf(`${option}-file`, file).replace(/\r?\n$/, '')
  if (secret === '') throw new OptionsError(`${option}-file: the file is empty`)
  if (/[\r\n]/.test(secret)) throw new OptionsError(`${option}-file: the file must hold one line, the secret`)
  return secret
}

function textOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OptionsError(`${option}: cannot read the file: ${reasonOf(error)}`, { cause: error })
  }
}
