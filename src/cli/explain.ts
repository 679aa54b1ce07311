import { buffer } from 'node:stream/consumers'
import { styleText } from 'node:util'
import { operations as allOperations } from '../../mappings/index.ts'
import en from '../../mappings/messages/en.json' with { type: 'json' }
import tr from '../../mappings/messages/tr.json' with { type: 'json' }
import { type Config, readConfig } from '../config.ts'
import { compileOperations } from '../engine/compile/compile-operations.ts'
import { type Explainer, explainCall } from '../gateway/explain/explain-call.ts'
import { operationFinder } from '../gateway/find-operation.ts'
import { writeExplanation } from './explain/write-explanation.ts'
import { orSayWhy } from './or-say-why.ts'

interface Options {
  readonly language?: 'en' | 'tr'
  readonly json?: boolean
}

/**
 * `legacy-gateway explain METHOD PATH [BODY]`: prints the v1 call that a legacy call becomes, and what differs; nothing is
 * sent. Exit 0 when there is such a call; else the reason on stderr, and exit 1. With `--json` all goes to stdout.
 */
export const explain = (method: string, path: string, body: string | undefined, options: Options): Promise<void> =>
  orSayWhy(async () => {
    const call = explainCall(explainerOf(readConfig()), {
      method: method.toUpperCase(),
      path,
      headers: options.language === undefined ? {} : { 'accept-language': options.language },
      body: body === '-' ? await buffer(process.stdin) : Buffer.from(body ?? ''),
    })
    const isTranslated = call.requests.length > 0
    if (!isTranslated) process.exitCode = 1
    const stream = isTranslated || options.json === true ? process.stdout : process.stderr
    const text =
      options.json === true
        ? `${JSON.stringify(call, null, 2)}\n`
        : writeExplanation(call, (format, words) => styleText(format, words, { stream }))
    stream.write(text)
  })

function explainerOf({ basePath, maxBodyBytes, v1PublicUrl, v1BaseUrl, sandboxV1Port }: Config): Explainer {
  const operations = compileOperations(allOperations)
  return {
    operations,
    find: operationFinder(operations, basePath),
    basePath,
    messages: { en, tr },
    v1BaseUrl: v1PublicUrl ?? v1BaseUrl ?? new URL(`http://localhost:${sandboxV1Port}`),
    maxBodyBytes,
  }
}
