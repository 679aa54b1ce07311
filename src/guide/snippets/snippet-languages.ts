import { createRequire } from 'node:module'
import type { SnippetLanguage } from '../../exchange/guide-form.ts'

const load = createRequire(import.meta.url)

/** The parts of a language that the snippet library lacks: a value from the environment, and a whole program. */
export interface Language {
  readonly language: SnippetLanguage
  readonly library: string
  /** Loads the writer of the call. Called at first use, because loading at startup would slow every start. */
  writer(): Writer
  /** A body type that the writer treats as text. It would rewrite JSON and lose its digits. */
  readonly mimeType: string
  readonly quote: '"' | "'"
  /** What joins strings. */
  readonly plus: string
  variable(name: string): string
  /** What follows the string of a body. Undefined: nothing does, and a joined string needs no brackets. */
  readonly afterBody?: string
  /** Returns the whole program; `call` is what the writer wrote. */
  program(call: string): string
}

/** A plugin of the library, as far as it is used. */
interface Writer {
  generate(request: {
    readonly method: string
    readonly url: string
    readonly headers: { readonly name: string; readonly value: string }[]
    readonly postData?: { readonly mimeType: string; readonly text: string }
  }): string
}

const AS_IT_IS = 'application/octet-stream'

/** In the order of SNIPPET_LANGUAGES. */
export const languages: readonly Language[] = [
  {
    ...{ language: 'curl', library: 'curl', mimeType: AS_IT_IS, quote: "'", plus: '' },
    writer: () => load('@scalar/snippetz/plugins/shell/curl').shellCurl,
    variable: (name) => `"$${name}"`,
    program: (call) => `${call} \\\n  --write-out '\\n%{http_code}\\n'`,
  },
  {
    ...{ language: 'TypeScript', library: 'fetch', mimeType: AS_IT_IS, quote: "'", plus: ' + ' },
    writer: () => load('@scalar/snippetz/plugins/node/fetch').nodeFetch,
    variable: (name) => `process.env.${name}`,
    program: (call) =>
      `const response = await ${call}\n\nconsole.log(await response.text())\nconsole.log(response.status)`,
  },
  {
    ...{ language: 'PHP', library: 'Guzzle', mimeType: AS_IT_IS, quote: "'", plus: ' . ' },
    writer: () => load('@scalar/snippetz/plugins/php/guzzle').phpGuzzle,
    variable: (name) => `getenv('${name}')`,
    program: (call) =>
      `<?php\n\nrequire 'vendor/autoload.php';\n\n${call}\n\necho $response->getBody(), PHP_EOL, $response->getStatusCode(), PHP_EOL;`,
  },
  {
    // The writer has no type for text, but treats a body as text if it is declared as JSON and is not.
    ...{ language: 'Python', library: 'requests', mimeType: 'application/json', quote: '"', plus: ' + ' },
    writer: () => load('@scalar/snippetz/plugins/python/requests').pythonRequests,
    variable: (name) => `os.environ["${name}"]`,
    // Older versions of requests send a string in Latin-1, or not at all.
    afterBody: '.encode()',
    program: (call) =>
      `${call.includes('os.environ') ? 'import os\n\n' : ''}import requests\n\nresponse = ${call}\n\nprint(response.text)\nprint(response.status_code)`,
  },
  {
    ...{ language: 'Java', library: 'HttpClient', mimeType: AS_IT_IS, quote: '"', plus: ' + ' },
    writer: () => load('@scalar/snippetz/plugins/java/nethttp').javaNethttp,
    variable: (name) => `System.getenv("${name}")`,
    afterBody: '',
    program: javaProgram,
  },
]

function javaProgram(call: string): string {
  const imports = ['HttpClient', 'HttpRequest', 'HttpResponse'].map((name) => `import java.net.http.${name};`)
  const statements = [...call.split('\n'), 'System.out.println(response.statusCode());']
  return [
    ...imports,
    '',
    'class CallV1 {',
    '  public static void main(String[] args) throws Exception {',
    ...statements.map((line) => (line === '' ? '' : `    ${line}`)),
    '  }',
    '}',
  ].join('\n')
}
