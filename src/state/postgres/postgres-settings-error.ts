/** `STATE_DB` or a PG… variable cannot be used. Each problem names where it is, and none quotes a value. */
export class PostgresSettingsError extends Error {
  override readonly name = 'PostgresSettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
