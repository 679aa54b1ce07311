import { html } from 'hono/html'
import type { Html } from '../../common/tables.ts'
import { DEFAULT_DAYS } from './clients-filter.ts'
import { withQuery } from './fragments.ts'

/** Browsers remove these from a path, however they are encoded. */
const DOTS = ['.', '..']

/** Whether a client can be named in a path. */
const isInPaths = (client: string): boolean => !DOTS.includes(client)

const encoded = (client: string): string => encodeURIComponent(client.toWellFormed())

/** Returns the path of a client's page. A name that no path can hold goes into the query. */
export function clientPath(client: string, days?: number): string {
  return withQuery(`/clients/${isInPaths(client) ? encoded(client) : '~'}`, {
    client: isInPaths(client) ? undefined : client,
    days: days === DEFAULT_DAYS ? undefined : days,
  })
}

/** Returns the path of a client's guide, with the name placed as in `clientPath`. */
export const guidePath = (client: string): string =>
  isInPaths(client) ? `/clients/${encoded(client)}/guide` : `/clients/~/guide?client=${client}`

/** Renders a name as a link to its client's page. Right-to-left text affects only the name itself. */
export const clientLink = (client: string, days?: number): Html =>
  html`<a class="client" href="${clientPath(client, days)}"><bdi>${client}</bdi></a>`

/** Returns the path of the page of an operation's clients. */
export const clientsOf = (operation: string): string => `/clients?operation=${encodeURIComponent(operation)}`
