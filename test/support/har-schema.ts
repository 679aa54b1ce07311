const text = { type: 'string' }
const size = { type: 'integer', minimum: -1 }
const pairs = {
  type: 'array',
  items: { type: 'object', required: ['name', 'value'], properties: { name: text, value: text, comment: text } },
}
const object = (required: Readonly<Record<string, unknown>>, optional: Readonly<Record<string, unknown>> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional, comment: text },
  // Names of its own begin with an underscore.
  patternProperties: { '^_': {} },
  additionalProperties: false,
})

/** What HAR 1.2 says of a file (http://www.softwareishard.com/blog/har-12-spec/), as a JSON Schema. */
export const HAR_SCHEMA = object({
  log: object(
    {
      version: { const: '1.2' },
      creator: object({ name: text, version: text }),
      entries: {
        type: 'array',
        items: object(
          {
            startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
            time: { type: 'number', minimum: 0 },
            request: object(
              {
                ...{ method: text, url: { type: 'string', pattern: '^https?://' }, httpVersion: text },
                ...{ cookies: pairs, headers: pairs, queryString: pairs, headersSize: size, bodySize: size },
              },
              { postData: object({ mimeType: text, text }, { params: { type: 'array' } }) },
            ),
            response: object({
              ...{ status: { type: 'integer' }, statusText: text, httpVersion: text, cookies: pairs, headers: pairs },
              content: object(
                { size: { type: 'integer' }, mimeType: text },
                { text, encoding: text, compression: size },
              ),
              ...{ redirectURL: text, headersSize: size, bodySize: size },
            }),
            cache: { type: 'object' },
            timings: object({ send: { minimum: 0 }, wait: { minimum: 0 }, receive: { minimum: 0 } }),
          },
          { pageref: text, serverIPAddress: text, connection: text },
        ),
      },
    },
    { browser: {}, pages: { type: 'array' } },
  ),
})
