/** A request for a program to send. */
export interface SnippetRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  /** `Authorization` holds a placeholder; the program takes the token from the environment variable `V1_TOKEN`. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * JSON, with its digits; undefined: none. Placeholders for credentials are whole strings, such as `"<CLIENT_ID>"`,
   * `"<CLIENT_SECRET>"` and those of `shownBody`: the program takes each from the environment variable of that name.
   */
  readonly body: string | undefined
}

export const LANGUAGES = ['curl', 'TypeScript', 'PHP', 'Python', 'Java'] as const
export type SnippetLanguage = (typeof LANGUAGES)[number]

/** A program that sends a request, and prints the body of the answer, then its status on a line of its own. */
export interface Snippet {
  readonly language: SnippetLanguage
  /** What sends the request: `curl`, `fetch`, `Guzzle`, `requests`, `HttpClient`. */
  readonly library: string
  readonly code: string
}
