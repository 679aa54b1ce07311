/** A Postman collection 2.1: the parts of the format that the exported collection uses. */
export interface PostmanCollection {
  readonly info: {
    readonly _postman_id: string
    readonly name: string
    readonly description: string
    readonly schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  }
  readonly item: readonly PostmanFolder[]
  readonly auth: PostmanAuth
  readonly variable: readonly PostmanVariable[]
}

export interface PostmanFolder {
  readonly id: string
  readonly name: string
  /** Markdown, like every description. */
  readonly description: string
  /** Empty: v1 has no equivalent. */
  readonly item: readonly PostmanRequest[]
}

export interface PostmanRequest {
  readonly id: string
  readonly name: string
  readonly event: readonly PostmanEvent[]
  readonly request: PostmanCall
  readonly response: readonly PostmanExample[]
}

export interface PostmanCall {
  readonly method: string
  readonly description: string
  /** Unset: the collection's applies. */
  readonly auth?: PostmanAuth
  readonly header: readonly PostmanParameter[]
  readonly body?: {
    readonly mode: 'raw'
    readonly raw: string
    readonly options: { readonly raw: { readonly language: 'json' } }
  }
  readonly url: {
    readonly raw: string
    readonly host: readonly string[]
    readonly path: readonly string[]
    readonly query?: readonly PostmanParameter[]
    readonly variable?: readonly PostmanParameter[]
  }
}

/** A header, a query parameter or a path variable. */
export interface PostmanParameter {
  readonly key: string
  readonly value: string
  readonly description?: string
  /** True: it is not sent until a user ticks it. */
  readonly disabled?: true
}

export interface PostmanVariable {
  readonly key: string
  readonly value: string
  readonly type: 'string'
  readonly description: string
}

/** A script that runs after the answer. */
export interface PostmanEvent {
  readonly listen: 'test'
  readonly script: { readonly type: 'text/javascript'; readonly exec: readonly string[] }
}

export type PostmanAuth =
  | { readonly type: 'noauth' }
  | {
      readonly type: 'bearer'
      readonly bearer: readonly [{ readonly key: 'token'; readonly value: string; readonly type: 'string' }]
    }

/** A saved answer. */
export interface PostmanExample {
  readonly id: string
  readonly name: string
  readonly originalRequest: PostmanCall
  readonly code?: number
  readonly header: readonly PostmanParameter[]
  readonly body: string
  readonly _postman_previewlanguage: 'json'
}
