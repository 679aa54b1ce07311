/** A request that a program is to send. */
export interface SnippetRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  /** `Authorization` holds a placeholder; the program takes the token from the environment variable `V1_TOKEN`. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, with its digits; undefined: none. */
  readonly body: string | undefined
}

export const LANGUAGES = ['curl', 'TypeScript', 'PHP', 'Python', 'Java'] as const
export type SnippetLanguage = (typeof LANGUAGES)[number]

/** A program, or a part of one, that sends a request. */
export interface Snippet {
  readonly language: SnippetLanguage
  /** The library that it uses: `fetch`, `Guzzle`, `requests`, `HttpClient`. */
  readonly library: string
  readonly code: string
}
