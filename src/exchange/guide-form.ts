/** A client's guide, in each form that it is served in. */
export interface GuideTexts {
  readonly html: string
  readonly markdown: string
  readonly json: string
}

/** The languages of the programs that call v1. */
export const SNIPPET_LANGUAGES = ['curl', 'TypeScript', 'PHP', 'Python', 'Java'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

/**
 * Returns the guide of a client, given the name that it counts under; undefined: nothing is known about the client. Rejects if that
 * cannot be found out now.
 * @param language of the programs. HTML has all languages, and shows this one first.
 */
export type MakeGuide = (client: string, language: SnippetLanguage) => Promise<GuideTexts | undefined>

/** A form in which a guide is served. */
export interface GuideForm {
  readonly text: keyof GuideTexts
  readonly type: string
  readonly language: SnippetLanguage
}

/** By their names in `?format=`. */
const FORMS: ReadonlyMap<string, Pick<GuideForm, 'text' | 'type'>> = new Map([
  ['html', { text: 'html', type: 'text/html; charset=UTF-8' }],
  ['md', { text: 'markdown', type: 'text/markdown; charset=UTF-8' }],
  ['json', { text: 'json', type: 'application/json' }],
])

/** By their names in `?snippets=`. */
const LANGUAGES: ReadonlyMap<string, SnippetLanguage> = new Map(
  SNIPPET_LANGUAGES.map((language) => [language.toLowerCase(), language]),
)

/** The values of the parameters; the first is the default of `snippets`. */
export const GUIDE_PARAMETERS = { format: [...FORMS.keys()], snippets: [...LANGUAGES.keys()] } as const

/** The parameters that ask for a form. */
type Asked = Readonly<Partial<Record<keyof typeof GUIDE_PARAMETERS, string | undefined>>>

/** The form for each media type. A program that accepts anything, such as curl in a terminal, gets text. */
const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'md'],
  ['text/*', 'md'],
  ['*/*', 'md'],
  ['application/json', 'json'],
])

/** Further media types are ignored. */
const MOST_RANGES = 50

/**
 * Returns the form of guide that a request asks for: by `format`, or else by the favourite in `Accept` (RFC 9110 section 12.5.1;
 * the first of equals), or else Markdown. Returns the name of a parameter whose value there is not.
 */
export function guideForm({ format, snippets = 'curl' }: Asked, accept = ''): GuideForm | keyof Asked {
  const form = FORMS.get(format ?? favouriteOf(accept))
  if (form === undefined) return 'format'
  const language = LANGUAGES.get(snippets.toLowerCase())
  return language === undefined ? 'snippets' : { ...form, language }
}

function favouriteOf(accept: string): string {
  let [best, most] = ['md', 0]
  for (const range of accept.toLowerCase().split(',').slice(0, MOST_RANGES)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const format = BY_TYPE.get(type)
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice('q='.length))
    if (format !== undefined && weight > most) [best, most] = [format, weight]
  }
  return best
}
