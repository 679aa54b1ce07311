import packageJson from '../../package.json' with { type: 'json' }

/** The gateway's own version, as `--version`, its user agent, its traces and its OpenAPI description tell it. */
export const VERSION = packageJson.version
