/** Whether a text is an http or https URL with what `isRight` requires. */
export function isHttpUrl(text: string, isRight: (url: URL) => boolean): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && isRight(url)
}

export const hasNoCredentials = ({ username, password }: URL): boolean => username === '' && password === ''

/** Whether a text is the URL of a receiver: it may have a path and a query, which are often secret, but no fragment and no credentials. */
export const isReceiverUrl = (text: string): boolean =>
  isHttpUrl(text, (url) => url.hash === '' && hasNoCredentials(url))

/** What a receiver's URL must be, in words. */
export const RECEIVER_URL =
  'must be an http or https URL without fragment or credentials, for instance https://chat.example.com/hooks/key'
