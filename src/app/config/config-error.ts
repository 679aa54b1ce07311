/** The environment cannot be used; every mistake is named with its variable, none with its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  /** So that whoever reads the file can tell what is wrong with it at once. */
  readonly rolloutFile: string | undefined

  constructor(problems: readonly string[], rolloutFile?: string) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
    this.rolloutFile = rolloutFile
  }
}
