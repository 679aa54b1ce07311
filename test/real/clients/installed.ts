import { runProgram } from './run-program.ts'

/** Debian's php-guzzlehttp-guzzle. */
export const GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php'

/** Neither a compiler nor a program of the tests runs long enough for optimized code or a concurrent collector to pay. */
export const quickJava = ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Whether a command can be run, and ends with exit code 0. */
export async function ends(...command: readonly string[]): Promise<boolean> {
  return (await runProgram(command)).code === 0
}

export const hasGuzzle = (): Promise<boolean> =>
  ends('php', '-r', `require "${GUZZLE}"; exit(class_exists("GuzzleHttp\\\\Client") ? 0 : 1);`)

/** Whether there is a compiler of Java 17 or later: a runtime has none. */
export async function hasJdk(): Promise<boolean> {
  const { lines } = await runProgram(['java', '--describe-module', 'jdk.compiler'])
  return /^jdk\.compiler@(1[7-9]|[2-9]\d)/.test(lines.join('\n'))
}
