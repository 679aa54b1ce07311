import { Hono } from 'hono'
import { GUIDE_PARAMETERS, guideForm, type MakeGuide } from '../../exchange/guide-form.ts'
import { OTHERS, UNIDENTIFIED } from '../../observe/traffic.ts'
import { only, unlessAway } from './answers.ts'

const PATH = '/clients/:client/guide'

/** A guide is a single document that loads nothing. It may change with each call. */
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

/** Names under which the calls of several clients are counted. */
const NO_CLIENTS: readonly string[] = [OTHERS, UNIDENTIFIED]

/**
 * Serves `GET /clients/{client}/guide`: what one client must change to call v1 (docs/clients.md). Browsers get HTML, callers that accept
 * JSON get that, all others get Markdown; `?format=html`, `md` or `json` overrides this; `?snippets=php` chooses the language of programs.
 * `/clients/~/guide?client=` takes any name. Answers 400 for another format or language, 404 with the name as `client` for an unknown client, and 503 while usage cannot be read.
 * @param guide rejects with a StateError.
 */
export function serveClientGuides(guide: MakeGuide): Hono {
  const app = new Hono()
  app.get(PATH, async (c) => {
    const form = guideForm(c.req.query(), c.req.header('accept'))
    if (typeof form === 'string')
      return c.json({ message: `${form}: expected one of ${GUIDE_PARAMETERS[form].join(', ')}.` }, 400)
    const inPath = c.req.param('client')
    // Programs remove `.` and `..` from a path, however they are encoded.
    const client = inPath === '~' ? (c.req.query('client') ?? inPath) : inPath
    if (NO_CLIENTS.includes(client)) {
      return c.json(
        {
          message: `${client} is not a client: it groups calls that are not counted under a client’s own name.`,
          client,
        },
        404,
      )
    }
    const made = await unlessAway(guide(client, form.language).then((texts) => ({ texts })))
    if (made === undefined) return c.json({ message: 'Usage cannot be read now: STATE_DB is not available.' }, 503)
    const { texts } = made
    if (texts === undefined) {
      return c.json(
        { message: `No client of this name has called an operation in the last 400 days: ${client}`, client },
        404,
      )
    }
    return c.body(texts[form.text], 200, { ...HEADERS, 'content-type': form.type })
  })
  app.all(PATH, only('GET'))
  return app
}
