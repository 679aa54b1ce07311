import { z } from 'zod'
import {
  addressRanges,
  adminToken,
  basePath,
  baseUrl,
  corsOrigins,
  date,
  headerName,
  milliseconds,
  port,
  proxyUrl,
  replicaId,
  schemaName,
  share,
  stateDb,
  tokenKeys,
  v1BaseUrl,
  webhookUrl,
  wholeNumber,
  wholeNumberWithin,
} from './variable-schemas.ts'

/** OpenTelemetry's names. */
const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type TraceSampler = (typeof TRACE_SAMPLERS)[number]

/** Every variable, how it is read, and its default. */
export const variables = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: port(8080),
  BASE_PATH: basePath.optional(),
  ADMIN_HOST: z.string().default('127.0.0.1'),
  ADMIN_PORT: port(8081),
  ADMIN_TOKEN: adminToken.optional(),
  V1_BASE_URL: v1BaseUrl.optional(),
  V1_PUBLIC_URL: v1BaseUrl.optional(),
  LEGACY_BASE_URL: baseUrl.optional(),
  V1_COPY_BASE_URL: v1BaseUrl.optional(),
  V1_COPY_IS_A_COPY: z.literal('yes', 'must be yes, or not set').optional(),
  V1_COPY_CLIENT_ID: z.string().optional(),
  V1_COPY_SECRET_KEY: z.string().optional(),
  V1_COPY_CLIENT_CERT: z.string().optional(),
  V1_COPY_CLIENT_KEY: z.string().optional(),
  V1_COPY_CA: z.string().optional(),
  V1_COPY_RELEASE_HEADER: headerName.optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  V1_CLIENT_CERT: z.string().optional(),
  V1_CLIENT_KEY: z.string().optional(),
  V1_CA: z.string().optional(),
  LEGACY_CLIENT_CERT: z.string().optional(),
  LEGACY_CLIENT_KEY: z.string().optional(),
  LEGACY_CA: z.string().optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().optional(),
  // Other programs read these names too, and prefer them.
  https_proxy: proxyUrl.optional(),
  no_proxy: z.string().optional(),
  V1_RELEASE_HEADER: headerName.optional(),
  LEGACY_RELEASE_HEADER: headerName.optional(),
  TOKEN_KEY: tokenKeys.default([]),
  SERVE: z.enum(['legacy', 'v1'], 'must be legacy or v1').optional(),
  ROLLOUT_FILE: z.string().optional(),
  MAPPING_FILE: z.string().optional(),
  STATE_DB: stateDb.default(':memory:'),
  STATE_SCHEMA: schemaName.default('legacy_gateway'),
  STATE_CACHE: z.string().optional(),
  REPLICA_ID: replicaId.optional(),
  RECORD_FILE: z.string().optional(),
  DOSSIER_KEY: z.string().optional(),
  WEBHOOK_URL: webhookUrl.optional(),
  WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  SANDBOX_V1_PORT: port(8082),
  SANDBOX_LEGACY_PORT: port(8083),
  SANDBOX_DB: z.string().default(':memory:'),
  UPSTREAM_TIMEOUT_MS: milliseconds(30_000),
  MAX_BODY_BYTES: wholeNumber(1, 1_073_741_824, 1_048_576),
  MEMORY_MB: wholeNumberWithin(16, 1_048_576).optional(),
  REFERENCE_TTL_S: wholeNumber(0, 31_536_000, 300),
  REFERENCE_STALE_S: wholeNumber(0, 31_536_000, 86_400),
  SUNSET: date.optional(),
  TRUSTED_PROXIES: addressRanges.optional(),
  KEEP_ALIVE_MS: wholeNumber(1_000, 86_400_000, 75_000),
  MAX_CONNECTIONS: wholeNumberWithin(1, 1_000_000).optional(),
  CORS_ORIGINS: corsOrigins.optional(),
  ANSWERED_BY: z.enum(['on', 'off'], 'must be on or off').default('off'),
  CLIENT_GUIDES: z.enum(['on', 'off'], 'must be on or off').default('off'),
  DRAIN_MS: wholeNumber(0, 600_000, 2_000),
  SHUTDOWN_GRACE_MS: milliseconds(10_000),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], 'must be json or pretty').default('json'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  /** OpenTelemetry's booleans: `true` in any case, everything else is false. */
  OTEL_SDK_DISABLED: z
    .string()
    .transform((text) => text.toLowerCase() === 'true')
    .default(false),
  OTEL_TRACES_SAMPLER: z
    .enum(TRACE_SAMPLERS, { error: `must be one of ${TRACE_SAMPLERS.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
})

export type Variable = keyof typeof variables.shape
