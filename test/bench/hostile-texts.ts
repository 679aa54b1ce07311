const MIB = 1_048_576

/** An object of as many different members as fit. */
function distinct(member: (index: number) => string, bytes = MIB): string {
  const members: string[] = []
  for (let index = 0, length = 2; ; index++) {
    const next = member(index)
    length += next.length + 1
    if (length > bytes) return `{${members.join(',')}}`
    members.push(next)
  }
}

/** The same piece as often as it fits, separated by commas, within a frame. */
function repeated(before: string, unit: string, after: string, bytes = MIB): string {
  const times = Math.floor((bytes - before.length - after.length) / (unit.length + 1))
  return `${before}${Array(times).fill(unit).join(',')}${after}`
}

/** JSON texts of 1 MiB, the largest accepted body, each difficult in another way. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'half a million brackets': `{"x":${'['.repeat(MIB / 2 - 10)}${']'.repeat(MIB / 2 - 10)}}`,
  'a million open brackets': `{"x":${'['.repeat(MIB - 10)}`,
  'objects 174,000 deep': `{"x":${'{"a":'.repeat(MIB / 6 - 10)}1${'}'.repeat(MIB / 6 - 10)}}`,
  '80,000 members': distinct((index) => `"k${index}":1`),
  '60,000 members, escaped': distinct((index) => `"\\u006b${index}":1`),
  'one member 170,000 times': repeated('{', '"k":1', '}'),
  nulls: distinct((index) => `"k${index}":null`),
  numbers: repeated('{"packages":[', '1', ']}'),
  'empty rows': repeated('{"packages":[', '{}', '],"products":[]}'),
  'rows with renamed members': repeated('{"products":[', '{"unitOfMeasure":{"code":"a","name":"b"},"x":1}', ']}'),
  'one long string': `{"search":"${'a'.repeat(MIB - 20)}"}`,
  'one string of escapes': `{"comment":"${'\\n'.repeat(MIB / 2 - 20)}"}`,
  'personal values': repeated('{', '"email":"a@b"', '}'),
  'personal numbers': repeated('{', '"tcNo":1', '}'),
  'filters that change': repeated('{', '"dateAtBetween":{"startAt":1}', '}'),
  'wrong at its very end': `${repeated('{"packages":[', '{"a":1}', '')}x`,
}
