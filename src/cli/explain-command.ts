import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type OfflineConfig, readOfflineConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { readMappings } from '../app/read-mappings.ts'
import { operationFinder, pathForwarder } from '../data-plane/gateway/legacy-paths.ts'
import { loadMappings } from '../data-plane/gateway/load-mappings.ts'
import { MappingError } from '../engine/compile/compile-operations.ts'
import { type CallToExplain, type ExplainedCall, type Explainer, explainCall } from '../guide/explain/explain-call.ts'
import type { ExplainedLine } from '../guide/lines/explained-line.ts'
import type { Operation } from '../mapping/operation.ts'
import { operationMeant } from './misspelt.ts'
import { orSayWhy, styleFor } from './printing.ts'
import { writeExplanation } from './write-explanation.ts'

interface Options {
  readonly language?: 'en' | 'tr'
  readonly all?: boolean
  readonly json?: boolean
}

type Words = readonly [first: string, second: string | undefined, third: string | undefined]

/**
 * `legacy-gateway explain METHOD PATH [BODY]`, or `explain OPERATION [BODY]`: prints the v1 call that a legacy call
 * becomes, and the differences. Sends nothing. For an operation without a body it prints all lines; for a call, only
 * the lines of members that the call has, unless `--all` is given. Exits with 0 if there is a v1 call. Otherwise writes
 * the reason to stderr, and exits with 1. With `--json` all output goes to stdout.
 */
export const explain = (
  first: string,
  second: string | undefined,
  third: string | undefined,
  options: Options,
  command: Command,
): Promise<number> =>
  orSayWhy(1, [ConfigError, MappingError], async () => {
    const explainer = explainerOf(readOfflineConfig())
    const mappings = explainer.operations.map(({ mapping }) => mapping)
    const named = mappings.find(({ id }) => id === first)
    const problem = problemOf([first, second, third], named, mappings)
    if (problem !== undefined) command.error(`error: ${problem}`)
    const call = await callOf([first, second, third], named, explainer.basePath, options)
    const isWhole = named !== undefined && call.body.length === 0
    const explained = isWhole ? unrefused(explainCall(explainer, call)) : explainCall(explainer, call)
    const v1 = mappings.find(({ id }) => id === explained.operation)?.v1
    const isInV1 = explained.requests.length > 0 || (isWhole && v1 !== undefined)
    const stream = isInV1 || options.json === true ? process.stdout : process.stderr
    const lines = isWhole || options.all === true ? explained.lines : linesOfCall(explained, call)
    const text =
      options.json === true
        ? `${JSON.stringify(explained, null, 2)}\n`
        : writeExplanation({ ...explained, v1, lines }, explained.lines.length - lines.length, styleFor(stream))
    stream.write(text)
    return isInV1 ? 0 : 1
  })

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i

/** Returns what is wrong with the arguments; undefined if nothing is. */
function problemOf(
  [first, second, third]: Words,
  named: Operation | undefined,
  mappings: readonly Operation[],
): string | undefined {
  if (named !== undefined) return third === undefined ? undefined : `only a body may follow the operation ${first}`
  if (second !== undefined) return undefined
  const ids = mappings.map(({ id }) => id)
  if (METHOD.test(first))
    return `a path must follow the method ${first}: give METHOD PATH [BODY], for instance POST /api/invoice/list`
  const meant = operationMeant(first, mappings)
  return `unknown operation ${first}; give METHOD PATH [BODY], or one of ${ids.join(', ')}${meant}`
}

async function callOf(
  [first, second = '', third]: Words,
  named: Operation | undefined,
  basePath: string,
  { language }: Options,
): Promise<CallToExplain> {
  const { method, path } = named?.legacy ?? { method: first.toUpperCase(), path: second }
  const body = named === undefined ? third : second
  return {
    method,
    path: named === undefined ? path : basePath + path,
    headers: language === undefined ? {} : { 'accept-language': language },
    body: body === '-' ? await buffer(process.stdin) : Buffer.from(body ?? ''),
  }
}

/** Removes the refusal: an operation is explained even if a call without a body would be refused. */
function unrefused({ refusal: _, ...explained }: ExplainedCall): ExplainedCall {
  return explained
}

function explainerOf({
  basePath,
  maxBodyBytes,
  v1PublicUrl,
  v1BaseUrl,
  legacyBaseUrl,
  sandboxV1Port,
  mappingFile,
}: OfflineConfig): Explainer {
  const mappings = readMappings(mappingFile)
  const { operations, messages } = loadMappings(mappings)
  return {
    operations,
    find: operationFinder(operations, basePath),
    basePath,
    // Without V1_BASE_URL the sandbox is used, which has a legacy service too.
    hasLegacy: legacyBaseUrl !== undefined || v1BaseUrl === undefined,
    forwardedPath: pathForwarder(mappings, basePath),
    messages,
    v1BaseUrl: v1PublicUrl ?? v1BaseUrl ?? new URL(`http://localhost:${sandboxV1Port}`),
    maxBodyBytes,
  }
}

/**
 * Returns the lines that concern a call: lines of request members that the call has, of headers that v1 gets, and all
 * lines of the answer. For a refused call: only lines of request members that the call has, or all request lines if it
 * has none.
 */
function linesOfCall({ lines, requests, refusal }: ExplainedCall, call: CallToExplain): readonly ExplainedLine[] {
  const isInCall = memberFinder(call)
  const request = lines.filter(({ part }) => part === 'request')
  const sent = request.filter(({ legacy }) => legacy !== null && legacy !== '' && isInCall(legacy))
  if (refusal !== undefined) return sent.length === 0 ? request : sent
  const headers = requests.flatMap((each) => Object.keys(each.headers))
  return lines.filter(
    (line) =>
      line.part === 'answer' || (line.part === 'header' ? headers.includes(line.v1 ?? '') : sent.includes(line)),
  )
}

/**
 * Returns a function that finds out whether a call has a member, by its path in the body
 * (`products[].unitOfMeasure.code`) or its name in the query.
 */
function memberFinder({ path, body }: CallToExplain): (member: string) => boolean {
  const query = new URLSearchParams(path.split('?').slice(1).join('?'))
  const root = parsed(body)
  return (member) => query.has(member) || hasMember(root, member.replaceAll('[]', '').split('.'))
}

/** Whether a value has a member. For a list: whether any item has it. */
function hasMember(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  if (Array.isArray(value)) return value.some((item) => hasMember(item, path))
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? hasMember((value as Readonly<Record<string, unknown>>)[name], rest)
    : false
}

/** Parses JSON. Returns undefined if the text is not JSON. */
function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString())
  } catch {
    return undefined
  }
}
