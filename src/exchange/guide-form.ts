/** A client's guide, in each form that it is served in. */
export interface GuideTexts {
  readonly html: string
  readonly markdown: string
  readonly json: string
}

/**
 * Returns the guide of a client, given the name that it counts under; undefined: nothing is known about the client. Rejects if that
 * cannot be found out now.
 */
export type MakeGuide = (client: string) => Promise<GuideTexts | undefined>

/** A form in which a guide is served. */
export interface GuideForm {
  readonly text: keyof GuideTexts
  readonly type: string
}

/** By their names in `?format=`. */
const FORMS: ReadonlyMap<string, GuideForm> = new Map([
  ['html', { text: 'html', type: 'text/html; charset=UTF-8' }],
  ['md', { text: 'markdown', type: 'text/markdown; charset=UTF-8' }],
  ['json', { text: 'json', type: 'application/json' }],
])

/** The values of `?format=`. */
export const GUIDE_FORMATS: readonly string[] = [...FORMS.keys()]

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
 * the first of equals), or else Markdown. Undefined: there is no such `format`.
 */
export const guideForm = (format: string | undefined, accept = ''): GuideForm | undefined =>
  FORMS.get(format ?? favouriteOf(accept))

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
