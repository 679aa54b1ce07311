import packageJson from '../../package.json' with { type: 'json' }

/** The gateway's version, for `--version`, the user agent, traces and the OpenAPI description. */
export const VERSION = packageJson.version
