import { Refusal } from '../errors/refusal.ts'
import type { GuideTexts } from './client-guides.ts'

/** A form in which a guide is served. */
export interface GuideForm {
  readonly text: keyof GuideTexts
  readonly type: string
}

/** By their names in `?format=`. */
const FORMS: Readonly<Record<'html' | 'md' | 'json', GuideForm>> = {
  html: { text: 'html', type: 'text/html; charset=UTF-8' },
  md: { text: 'markdown', type: 'text/markdown; charset=UTF-8' },
  json: { text: 'json', type: 'application/json' },
}

/** Which form each media type asks for. Whoever takes anything reads text, such as curl in a terminal. */
const BY_TYPE: ReadonlyMap<string, GuideForm> = new Map([
  ['text/html', FORMS.html],
  ['application/xhtml+xml', FORMS.html],
  ['text/markdown', FORMS.md],
  ['text/plain', FORMS.md],
  ['application/json', FORMS.json],
])

/** More media types than these are not looked at. */
const MOST_RANGES = 50

/**
 * Returns the form in which a guide is asked for: by `?format=html`, `md` or `json`, else by the favourite of `Accept` (RFC 9110 section
 * 12.5.1; of equal ones the first), else Markdown; the same as at the admin port.
 * @throws Refusal if `format` is none of the three.
 */
export function guideForm(query: string, accept = ''): GuideForm {
  const asked = new URLSearchParams(query).get('format')
  if (asked !== null) {
    if (Object.hasOwn(FORMS, asked)) return FORMS[asked as keyof typeof FORMS]
    throw new Refusal(400, 'not-valid', { violations: [{ path: 'format', message: 'invalid-value' }] })
  }
  let [best, most] = [FORMS.md, 0]
  for (const range of accept.toLowerCase().split(',').slice(0, MOST_RANGES)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const form = BY_TYPE.get(type)
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice('q='.length))
    if (form !== undefined && weight > most) [best, most] = [form, weight]
  }
  return best
}
