/** Matches the beginning of a file of another kind, which can be recognised as soon as it is opened. */
const BINARY: readonly (readonly [what: string, at: number, magic: Buffer])[] = [
  ['UTF-16 text, as PowerShell writes it (save it as UTF-8)', 0, Buffer.from([0xff, 0xfe])],
  ['UTF-16 text (save it as UTF-8)', 0, Buffer.from([0xfe, 0xff])],
  ['a capture of network packets (pcap)', 0, Buffer.from([0xd4, 0xc3, 0xb2, 0xa1])],
  ['a capture of network packets (pcap)', 0, Buffer.from([0xa1, 0xb2, 0xc3, 0xd4])],
  ['a capture of network packets (pcap)', 0, Buffer.from([0x4d, 0x3c, 0xb2, 0xa1])],
  ['a capture of network packets (pcapng)', 0, Buffer.from([0x0a, 0x0d, 0x0d, 0x0a])],
  ['an SQLite database', 0, Buffer.from('SQLite format 3')],
  ['a PDF file', 0, Buffer.from('%PDF-')],
  ['an image', 0, Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ['a program', 0, Buffer.from([0x7f, 0x45, 0x4c, 0x46])],
  ['gzip data that were packed twice (unpack them once)', 0, Buffer.from([0x1f, 0x8b])],
  ['a tar archive (unpack it)', 257, Buffer.from('ustar')],
]

/** Matches the beginning of a text of another kind. The first that matches counts. */
const TEXTS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an HTML page', /^\s*<(?:!doctype\s+html|html|head|body)\b/i],
  ['an XML file', /^\s*<(?:\?xml|[a-z][\w:.-]*[\s/>])/i],
  ['an access log', /^\S+ \S+ \S+ \[\d{1,2}\/\w{3}\/\d{4}[: ]/],
  ['an access log', /^\S+ .*"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+ HTTP\/\d/],
  ['an access log', /^#(?:Software|Version|Fields|Date):/],
  ['a capture of GoReplay', /^[123] [\da-f]{16,40} \d+/],
  ['flows of mitmproxy (save them as HAR)', /^\d+:\d+:[\w~]+[;:]/],
  ['plain HTTP requests', /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+(?: HTTP\/\d|\s)/],
  ['curl commands', /^\s*curl\s/],
  ['results of k6', /^\{\s*"(?:type|metric)"\s*:\s*"(?:Metric|Point|[\w_]+)"\s*,.*"(?:data|metric|type)"/],
  ['an OpenAPI description', /^\s*(?:\{[^[]{0,200}"(?:openapi|swagger)"\s*:|(?:openapi|swagger)\s*:)/],
  ['a JSON list of HAR files (save each as a file)', /^\s*\[\s*\{\s*"log"\s*:/],
  [
    'a JSON list of HAR entries (in a HAR file they are in log.entries)',
    /^\s*\[\s*\{[^[]*"(?:startedDateTime|request)"\s*:/,
  ],
  ['a JSON list of Postman collections (save each as a file)', /^\s*\[\s*\{\s*"(?:info|collection)"\s*:/],
  ['a JSON list', /^\s*\[/],
  [
    'an export of Insomnia (export it as HAR)',
    /^\s*(?:\{[^[]{0,200}"(?:_type|__export_format)"|type:\s*collection\.insomnia)/,
  ],
  ['a Postman environment (export the collection)', /^\s*\{[\s\S]*"_postman_variable_scope"/],
  ['a package.json', /^\s*\{[\s\S]*"(?:dependencies|devDependencies|scripts|engines|lockfileVersion)"\s*:\s*[{\d]/],
  ['a report of replay', /^\s*\{\s*"version"\s*:\s*\d+,\s*"startedAt"/],
  ['lines of a log in JSON', /^\s*\{[^\n]*"(?:level|msg|message|time|timestamp|ts|log)"\s*:[^\n]*\}\s*(?:\n|$)/],
  ['other lines of JSON', /^\s*\{[^\n]*\}\s*\n\s*\{/],
  ['another JSON file', /^\s*\{/],
  ['a table (CSV)', /^[^\n{}]*?([,;\t])[^\n{}]*\1[^\n]*\r?\n[^\n]*\1[^\n]*\1/],
  ['a YAML file', /^(?:---|[\w-]+:(?:\s|$))/],
]

/** The number of bytes or characters that are looked at. */
const BEGINNING = 2_048
const FIRST = 64

/** Says what a file is that is not read, if its first bytes settle that. */
export function binaryKind(head: Buffer): string | undefined {
  const [kind] = BINARY.find(([, at, magic]) => head.subarray(at, at + magic.length).equals(magic)) ?? []
  if (kind !== undefined) return kind
  // Further on, a crash may have left zeros in a recording.
  if (!head.subarray(0, FIRST).includes(0)) return undefined
  return isWide(head) ? 'UTF-16 text (save it as UTF-8)' : 'a binary file'
}

/** Says what a text seems to be of which nothing could be read. */
export function textKind(head: string): string {
  const beginning = head.slice(0, BEGINNING)
  const [kind] = TEXTS.find(([, pattern]) => pattern.test(beginning)) ?? []
  return kind ?? 'another text'
}

/** Whether every second byte is zero, as in UTF-16 of ASCII text. */
function isWide(head: Buffer): boolean {
  const pairs = Math.floor(Math.min(head.length, FIRST) / 2)
  const zeros = (from: number): number => {
    let count = 0
    for (let at = from; at < pairs * 2; at += 2) if (head[at] === 0) count++
    return count
  }
  return pairs > 0 && Math.max(zeros(0), zeros(1)) >= pairs * 0.75
}
