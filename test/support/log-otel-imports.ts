import { registerHooks } from 'node:module'

/**
 * Preloaded (`--import`), it writes a line for each module of OpenTelemetry that a process loads, without its
 * interfaces: these do nothing by themselves, and the library that counts metrics loads them.
 */
registerHooks({
  load(url, context, next) {
    if (/@opentelemetry\/(?!api\/)|@hono\/otel/.test(url)) console.log(JSON.stringify({ loaded: url }))
    return next(url, context)
  },
})
