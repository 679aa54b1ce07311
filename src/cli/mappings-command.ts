import { messages } from '../../mappings/index.ts'
import { v1Facts } from '../../mappings/v1/facts.ts'
import { readDescriptionConfig, readMappingFileConfig, readV1AddressConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { readMappings } from '../app/read-mappings.ts'
import { VERSION } from '../app/version.ts'
import { compileOperations, MappingError } from '../engine/compile/compile-operations.ts'
import { describeOpenapi, originOf } from '../guide/openapi/legacy-openapi.ts'
import { describeV1 } from '../guide/openapi/v1-openapi.ts'
import { postmanCollection } from '../guide/postman/postman-collection.ts'
import { describeReference } from '../guide/reference/describe-reference.ts'
import type { Operation } from '../mapping/operation.ts'
import { orSayWhy } from './printing.ts'

interface Options {
  readonly openapi?: boolean
  readonly openapiV1?: boolean
  readonly postman?: boolean
}

/**
 * `legacy-gateway mappings`: prints the reference of all mappings as Markdown. With `--openapi` prints the OpenAPI
 * description of the legacy interface instead, as served at `HOST`, `PORT` and `BASE_PATH`; with `--openapi-v1`
 * v1 as OpenAPI, with `--postman` the v1 calls as a Postman collection, both at `V1_PUBLIC_URL` or `V1_BASE_URL`.
 */
export const mappings = (options: Options): Promise<number> =>
  orSayWhy(1, [ConfigError, MappingError], async () => {
    const operations = readMappings(readMappingFileConfig().mappingFile)
    if (options.openapi === true) process.stdout.write(openapiText(operations))
    else if (options.openapiV1 === true) process.stdout.write(jsonText(describeV1(operations, v1Facts, v1Address())))
    else if (options.postman === true) process.stdout.write(postmanText(operations))
    else process.stdout.write(describeReference(operations, messages))
    return 0
  })

function openapiText(operations: readonly Operation[]): string {
  const { basePath, host, port } = readDescriptionConfig()
  const origin = originOf({ host, port }, 'localhost')
  return jsonText(describeOpenapi(operations, { origin, basePath, version: VERSION }))
}

const postmanText = (operations: readonly Operation[]): string =>
  jsonText(postmanCollection(compileOperations(operations), v1Facts, v1Address()))

function v1Address(): URL | undefined {
  const { v1PublicUrl, v1BaseUrl } = readV1AddressConfig()
  return v1PublicUrl ?? v1BaseUrl
}

const jsonText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
