/** A client's guide, in each form that it is served in. */
export interface GuideTexts {
  readonly html: string
  readonly markdown: string
  readonly json: string
}

/**
 * Returns a client's guide, by the name that the client counts under; undefined: nothing is known of the client. Rejects while that
 * cannot be found out.
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

/** What `?format=` may be. */
export const GUIDE_FORMATS: readonly string[] = [...FORMS.keys()]

/** Which form each media type asks for. Whoever takes anything reads text, such as curl in a terminal. */
const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'md'],
  ['text/*', 'md'],
  ['*/*', 'md'],
  ['application/json', 'json'],
])

/** More media types than these are not looked at. */
const MOST_RANGES = 50

/**
 * Returns the form in which a guide is asked for: by `format`, else by the favourite of `Accept` (RFC 9110 section 12.5.1; of equal ones
 * the first), else Markdown. Undefined: there is no such `format`.
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
