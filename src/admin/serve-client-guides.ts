import { type Context, Hono } from 'hono'
import { OTHERS, UNIDENTIFIED } from '../observe/traffic.ts'
import { StateError } from '../state/state-error.ts'

/** A client's guide, in each form that it is served in. */
export interface GuideTexts {
  readonly html: string
  readonly markdown: string
  readonly json: string
}

/** Returns a client's guide; undefined: nothing is known of the client. Rejects with a StateError while that cannot be found out. */
export type MakeGuide = (client: string) => Promise<GuideTexts | undefined>

const PATH = '/clients/:client/guide'
const FORMATS = ['html', 'md', 'json'] as const
type Format = (typeof FORMATS)[number]

const FORMS: Readonly<Record<Format, { readonly text: keyof GuideTexts; readonly type: string }>> = {
  html: { text: 'html', type: 'text/html; charset=UTF-8' },
  md: { text: 'markdown', type: 'text/markdown; charset=UTF-8' },
  json: { text: 'json', type: 'application/json' },
}

/** A guide is one document that loads nothing, and it changes with each call. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ...{
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    vary: 'Accept',
  },
}

/** What is counted under these names is nobody's use. */
const NO_CLIENTS: readonly string[] = [OTHERS, UNIDENTIFIED]

/**
 * Serves `GET /clients/{client}/guide`: what one client must change to call v1 (docs/clients.md). HTML to browsers, JSON to who asks for
 * it, otherwise Markdown; `?format=html`, `md` or `json` decides it. Answers 400 to another format, 404 to a client that is not known, and 503
 * while the usage cannot be read.
 */
export function serveClientGuides(guide: MakeGuide): Hono {
  const app = new Hono()
  app.get(PATH, async (c) => {
    const format = formatOf(c)
    if (format === undefined) return c.json({ message: `format: expected one of ${FORMATS.join(', ')}.` }, 400)
    const client = c.req.param('client')
    if (NO_CLIENTS.includes(client)) {
      return c.json({ message: `${client} is not a client: calls whose client is not known count there.` }, 404)
    }
    const texts = await guide(client).catch(unlessAway)
    if (texts === 'away') return c.json({ message: 'The usage cannot be read now: STATE_DB is not available.' }, 503)
    if (texts === undefined) {
      return c.json({ message: `No client of this name has called an operation in the last 400 days: ${client}` }, 404)
    }
    const { text, type } = FORMS[format]
    return c.body(texts[text], 200, { ...HEADERS, 'content-type': type })
  })
  app.all(PATH, (c) => c.json({ message: 'Only GET is allowed here.' }, 405, { allow: 'GET, HEAD' }))
  return app
}

function unlessAway(error: unknown): 'away' {
  if (!(error instanceof StateError)) throw error
  return 'away'
}

/** Returns the form that is asked for; undefined: there is none such. */
function formatOf(c: Context): Format | undefined {
  const asked = c.req.query('format')
  if (asked !== undefined) return FORMATS.find((format) => format === asked)
  return preferred(c.req.header('accept') ?? '')
}

/** Which form each media type asks for. Whoever takes anything reads text, such as curl in a terminal. */
const BY_TYPE: Readonly<Record<string, Format>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'md',
  'text/plain': 'md',
  'application/json': 'json',
}

/** RFC 9110, 12.5.1: the greatest weight wins; of equal ones the first. */
function preferred(accept: string): Format {
  let best: { readonly format: Format; readonly weight: number } | undefined
  for (const range of accept.toLowerCase().split(',').slice(0, MOST_RANGES)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const format = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    if (format !== undefined && weight > (best?.weight ?? 0)) best = { format, weight }
  }
  return best?.format ?? 'md'
}

const MOST_RANGES = 50
