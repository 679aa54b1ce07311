/**
 * Returns what the lines of a recording show, found out in another way than the code does: statuses, languages, and by place in
 * request and answer how values are written.
 */
export function naiveCoverage(recording: string): ReadonlySet<string> {
  const all = new Set<string>()
  const known = new Set<string>()
  for (const line of recording.split('\n').filter((one) => one !== '')) {
    // The time and the client are all that differs between equal exchanges.
    const content = line.slice(line.indexOf('"operation"'))
    if (known.has(content)) continue
    known.add(content)
    for (const one of shownBy(line)) all.add(one)
  }
  return all
}

interface Line {
  readonly operation: string
  readonly request: {
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly response?: { readonly status: number; readonly body?: unknown }
}

/** Stands for a number: as it was written. */
class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => Line

function shownBy(line: string): readonly string[] {
  const asWritten: Reviver = (_, value, { source = '' }) => (typeof value === 'number' ? new Written(source) : value)
  const { operation, request, response } = parse(line, asWritten)
  const status = (response?.status as unknown as Written | undefined)?.text ?? 'none'
  const part = status < '400' ? 'answer' : 'error'
  const query = new URLSearchParams(request.path.split('?')[1] ?? '')
  return [
    `status ${status}`,
    `language ${request.headers['accept-language']?.startsWith('en') === true ? 'en' : 'tr'}`,
    ...[...query].flatMap(([name, value]) => formsOf(value).map((form) => `request ${name} ${form}`)),
    ...(request.body === undefined ? [] : formsIn(request.body, 'request ')),
    ...(response?.body === undefined ? [] : formsIn(response.body, `${part} `)),
  ].map((one) => `${operation} ${one}`)
}

function formsIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const length = value.length > 200 ? 'over 200' : value.length > 1 ? 'several' : value.length
    return [`${path} has ${length}`, ...value.flatMap((item) => formsIn(item, `${path}[]`))]
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Written)) {
    const members = Object.entries(value)
    return [
      `${path} ${members.length === 0 ? '{}' : '{…}'}`,
      ...members.flatMap(([name, one]) => formsIn(one, `${path}.${name}`)),
    ]
  }
  return formsOf(value).map((form) => `${path} ${form}`)
}

/** What one value is: each mark counts for itself. */
function formsOf(value: unknown): readonly string[] {
  if (value instanceof Written) {
    const { text } = value
    const marks = NUMBER_MARKS.filter(([, mark]) => mark.test(text)).map(([name]) => name)
    return ['number', ...marks, ...(Math.abs(Number(text)) > 2 ** 53 ? ['big'] : [])]
  }
  if (typeof value !== 'string') return [String(value)]
  if (value === '') return ['empty']
  return ['text', ...TEXT_MARKS.filter(([, mark]) => mark.test(value)).map(([name]) => name)]
}

const NUMBER_MARKS = [
  ['negative', /^-/],
  ['zero', /^-?0+(?:\.0+)?$/],
  ['fraction', /\.\d*[1-9]/],
  ['trailing zeros', /\.\d*0(?:$|[eE])/],
  ['exponent', /[eE]/],
] as const
const TEXT_MARKS = [
  ['long', /^.{256}/su],
  ['beyond ASCII', /[^\0-\x7f]/],
  ['pairs', /[\ud800-\udfff]/],
  ['other offset', /^\d{4}-\d\d-\d\dT[\d:]+[+-](?!00:00)\d\d:\d\d$/],
] as const
