import type { SnippetLanguage } from '../../src/exchange/guide-form.ts'
import type { ClientGuide } from '../../src/guide/client/client-guide.ts'
import { type Printed, runPrograms } from '../guide/snippets/snippet-programs.ts'

/** What v1 answered, as a program printed it. */
export interface V1Answer {
  readonly status: number
  readonly body: {
    readonly success: boolean
    readonly data?: Readonly<Record<string, unknown>>
    readonly items?: readonly Readonly<Record<string, unknown>>[]
    readonly meta?: {
      readonly page: number
      readonly perPage: number
      readonly total: number
      readonly pageCount: number
    }
  }
}

/** A guide and who reads it. */
export interface Reader {
  readonly guide: ClientGuide
  readonly clientId: string
  readonly secretKey: string
  /** How many pages the whole lists that its client reads have, by operation; one if it is not there. */
  readonly pages: Readonly<Record<string, number>>
}

/**
 * Does what the readers of guides do: they log in with its program, run the programs of its other operations with the token that v1 gave, and,
 * where the guide says so, those of all further pages. In one language, with as few starts as there can be.
 * @returns for each reader the answers by operation, one for each page.
 */
export async function runGuides(
  language: SnippetLanguage,
  readers: readonly Reader[],
  signal: AbortSignal,
): Promise<readonly Readonly<Record<string, readonly V1Answer[]>>[]> {
  const all = readers.map(({ guide }) => programsOf(language, guide))
  const logins = await run(
    language,
    readers.map(({ clientId, secretKey }, at) => ({
      code: all[at]?.find(({ operation }) => operation === LOGIN)?.code ?? '',
      variables: { CLIENT_ID: clientId, SECRET_KEY: secretKey },
    })),
    signal,
  )
  const programs = readers.flatMap(({ pages }, reader) =>
    (all[reader] ?? [])
      .filter(({ operation }) => operation !== LOGIN)
      .flatMap(({ operation, code, isWholeList }) => {
        const count = isWholeList ? (pages[operation] ?? 1) : 1
        const variables = { V1_TOKEN: String(logins[reader]?.body.data?.token) }
        return Array.from({ length: count }, (_, at) => ({
          reader,
          operation,
          code: turnedTo(at + 1, code),
          variables,
        }))
      }),
  )
  const answers = (await run(language, programs, signal)).map((answer, at) => ({ answer, ...programs[at] }))
  return readers.map((_, reader) => {
    const own = answers.filter((one) => one.reader === reader)
    const byOperation = Map.groupBy(own, ({ operation = '' }) => operation)
    return Object.fromEntries([...byOperation].map(([id, found]) => [id, found.map(({ answer }) => answer)]))
  })
}

const LOGIN = 'auth'

const programsOf = (language: SnippetLanguage, { operations }: ClientGuide) =>
  operations.map(({ operation, after, then = '' }) => ({
    operation,
    code: after[0]?.snippets.find((snippet) => snippet.language === language)?.code ?? '',
    isWholeList: then.startsWith('Then page=2, page=3, … up to meta.pageCount.'),
  }))

const run = async (...parameters: Parameters<typeof runPrograms>): Promise<readonly V1Answer[]> =>
  (await runPrograms(...parameters)).map(answerOf)

const answerOf = ({ body, status }: Printed): V1Answer => ({ status, body: JSON.parse(body) as V1Answer['body'] })

/** Asks for another page in a program of the first. */
const turnedTo = (page: number, code: string): string => code.replace(/(?<=[?&]page=)1(?=['"&])/, String(page))
