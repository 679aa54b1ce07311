import { messages, operations } from '../../mappings/index.ts'
import { readDescriptionConfig } from '../app/command-config.ts'
import { VERSION } from '../app/version.ts'
import { describeOpenapi } from '../guide/describe/describe-openapi.ts'
import { describeReference } from '../guide/describe/describe-reference.ts'
import { originOf } from '../guide/describe/describe-servers.ts'
import { orSayWhy } from './or-say-why.ts'
import { print } from './print.ts'

interface Options {
  readonly openapi?: boolean
}

/**
 * `legacy-gateway mappings`: prints the reference of all mappings as Markdown. With `--openapi` prints the OpenAPI
 * description of the legacy interface instead, as served at `HOST`, `PORT` and `BASE_PATH`.
 */
export const mappings = (options: Options): Promise<void> =>
  orSayWhy(async () => {
    print(options.openapi === true ? openapiText() : describeReference(operations, messages))
  })

function openapiText(): string {
  const { basePath, host, port } = readDescriptionConfig()
  const origin = originOf({ host, port }, 'localhost')
  return `${JSON.stringify(describeOpenapi(operations, { origin, basePath, version: VERSION }), null, 2)}\n`
}
