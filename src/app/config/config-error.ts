/** The environment is not a valid configuration. Names the variable of every mistake, but never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  /** The rollout file, so that a command can report its mistakes together with these. */
  readonly rolloutFile: string | undefined

  constructor(problems: readonly string[], rolloutFile?: string) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
    this.rolloutFile = rolloutFile
  }
}
