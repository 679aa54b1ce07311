/** A text that is JSON, or nearly so, as sent over the wire. */
export interface OddJson {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Reads the texts below, separated by two spaces or a line end. `␊` and the like are control characters, `␠` is a
 * space at an end, and `⟨a0⟩` is a character by its number.
 */
function texts({ raw: [written = ''] }: TemplateStringsArray): readonly OddJson[] {
  const character = (code: number): string => String.fromCodePoint(code)
  return written
    .trim()
    .split(/ {2,}|\n\s*/)
    .map((name) => {
      const text = name
        .replaceAll(/[\u2400-\u2420]/g, (picture) => character(picture.charCodeAt(0) - 0x2400))
        .replaceAll(/⟨([\da-f]+)⟩/g, (_, code: string) => character(Number.parseInt(code, 16)))
      return { name, bytes: Buffer.from(text) }
    })
}

const numbers = texts`
  0  -0  7  -7  1200  0.25  -0.25  3.10  100.00  12345678901234567890  -98765432109876543210.5  0.1e1  4E4  4e+4  4E-4  6.02e23
  1e400  -1e400  1e-400  0e00012  123e0000  00  007  -00  -012  +3  ++3  --3  -+3  -  --  +  .  .75  -.75  8.  -8.  8.e2  .e2
  e2  2e  2e+  2e-  2E.5  2e5.5  2e2e2  1.2.3  0x2a  0o17  0b11  1_000  1,5  12a  a12  0.  0.0.0  NaN  -NaN  Infinity  -Infinity
  +Infinity  inf  1n  2f  2L  50%  - 1  1 .5  1. 5  1e 5  ½  ٤  ５  −5  1’000  1e⟨661⟩`

const literals = texts`
  true  false  null  TRUE  True  tRUE  FALSE  False  NULL  Null  nil  none  None  undefined  yes  no  on  off  tru  fals  nul
  t  f  n  truee  falsee  nulll  truefalse  nulltrue  true1  1true  null,  !true  tr␀ue  t⟨2060⟩rue`

const strings = texts`
  ""  "plain"  "Çelik İnşaat"  "日本"  "👩‍👩‍👧"  "a/b"  "a\/b"  "\"\\\b\f\n\r\t"  "\u00c7"  "\u00C7"  "\ud83d\ude80"  "\ud83d"  "\ude80"
  "\ude80\ud83d"  "\ud83d\n"  "\u0000"  "\uffff\ufffe"  "⟨7f⟩"  "⟨85⟩"  "⟨2028⟩⟨2029⟩"  "⟨feff⟩"  "⟨a0⟩"  "null"  "\u006eull"
  " both ends "  "raw␊line"  "raw␍return"  "raw␉tab"  "raw␀nul"  "raw␌feed"  "raw␛escape"  "raw␟unit"  "\␊"  "\␀"  "\q"  "\U0041"
  "\x41"  "\0"  "\101"  "\'"  "\N"  "\e"  "\ "  "\u"  "\u1"  "\u12"  "\u123"  "\u12G4"  "\u-123"  "\u 123"  "\u{c7}"  "\u00c7
  "\u00  "\ud83d\u  "\  "  "open  closed"  "a"b"  "a""b"  'single'  ⟨60⟩back⟨60⟩  “curly”  bare  "a" + "b"  "a\"  "a\\\"  &quot;a&quot;
  %22a%22  <b>"a"</b>  "tab\␉raw"`

const structures = texts`
  {}  []  [{}]  [[],[]]  {"k":{}}  { "k" : [ 1 , { "l" : null } ] }  [null]  {"k":null}  {"k":{"l":null,"m":0}}
  {"k":[null,{"l":null}]}  {"l":null,"k":null}  {"k":1,"k":null}  {"k":null,"k":1}  {"k":[1],"k":[null]}  {"k":1,}  {,"k":1}  {"k":1,,"l":2}  {"k":1 "l":2}  {"k":1;"l":2}  {"k"}  {"k":}  {:1}
  {"k" 1}  {"k"=>1}  {"k"::1}  {"k":1:2}  {k:1}  {'k':1}  {1:1}  {null:1}  {["k"]:1}  {"k":1  {"k":  {"k"  {"k  {  }  {{}}  {[]}
  {"k":1]  [1}  [1,]  [,1]  [,]  [1,,2]  [1 2]  [1;2]  ["k":1]  [  ]  []]  [[]  [1  [1,  [{]}  [}  {"k":[}]  [-]  [+1]  [.5]  [5.]
  [1]x  []{}  {}{}  {}[]  {},  [],  {};  (1)  [...[]]  {"k":nul}  {"k":NULL,"l":1}  {"k":nulll}`

const members = texts`
  {"k":1,"k":2}  {"k":1,"\u006b":2}  {"":1}  {"":1,"":{"":[]}}  {"\u0000":1}  {"\ud800":1}  {"a\nb":1}  {"a␊b":1}  {"__proto__":1}
  {"__proto__":{"k":1}}  {"__proto__":null}  {"constructor":{"prototype":{"k":1}}}  {"toString":1,"hasOwnProperty":2}  {"\q":1}
  {"k\":1}  {"\u00e7":1,"ç":2}  {"length":-1}  {"0":1,"1":2}  {"then":1}  {"toJSON":"x"}`

const around = texts`
  ␠  ␊  ␉␍␊␠  ␠1  1␠  ␍␊1␍␊  ␉{␉}␉  ␌1  1␌  ␋1  1␋  {␌}  [␋]  {"k"␌:1}  ⟨a0⟩1  1⟨a0⟩  {⟨a0⟩}  ⟨2003⟩1  ⟨3000⟩1  ⟨2028⟩1  1⟨2029⟩
  ⟨200b⟩1  1⟨200b⟩  ⟨85⟩1  ⟨feff⟩  ⟨feff⟩1  ⟨feff⟩{}  {}⟨feff⟩  {⟨feff⟩}  ␀  ␀1  1␀  {}␀  [␀]  1 2  1,2  ,  :  #1  1#  //  // x␊1
  1 // x  /* x */1  {/* x */}  {"k":1/**/}  <!-- -->1  --1--  )]}',␊{}  while(1);{}  data: {}  {}␊{}  ␞{}  k=1&l=2  <?xml?>
  <html></html>  ---␊k: 1  ␚  ⟨7f⟩`

const bytes = (name: string, ...values: readonly number[]): OddJson => ({ name, bytes: Buffer.from(values) })
const quoted = (name: string, ...values: readonly number[]): OddJson => bytes(`in a text, ${name}`, 34, ...values, 34)

const notUtf8 = [
  quoted('a lone continuation', 0x80),
  quoted('two lone continuations', 0xbf, 0xbf),
  quoted('two bytes cut to one', 0xc3),
  quoted('three bytes cut to two', 0xe2, 0x82),
  quoted('four bytes cut to three', 0xf0, 0x9f, 0x92),
  quoted('four bytes cut to one', 0xf0),
  quoted('a slash in two bytes', 0xc0, 0xaf),
  quoted('a NUL in two bytes', 0xc0, 0x80),
  quoted('a quote in two bytes', 0xc0, 0xa2),
  quoted('a slash in three bytes', 0xe0, 0x80, 0xaf),
  quoted('a slash in four bytes', 0xf0, 0x80, 0x80, 0xaf),
  quoted('a high surrogate', 0xed, 0xa0, 0x80),
  quoted('a low surrogate', 0xed, 0xbf, 0xbf),
  quoted('a pair of surrogates', 0xed, 0xa0, 0xbd, 0xed, 0xba, 0x80),
  quoted('U+110000', 0xf4, 0x90, 0x80, 0x80),
  quoted('five bytes', 0xf8, 0x88, 0x80, 0x80, 0x80),
  quoted('six bytes', 0xfc, 0x84, 0x80, 0x80, 0x80, 0x80),
  quoted('0xFE and 0xFF', 0xfe, 0xff),
  quoted('Latin-1', 0xc7, 0x65, 0x6c, 0x69, 0x6b),
  quoted('Windows-1254', 0xde, 0x75),
  bytes('a lead byte before the closing quote', 34, 0x61, 0xe2, 34),
  bytes('a lone continuation before a value', 0x80, 0x31),
  bytes('a lone continuation behind a value', 0x31, 0x80),
  bytes('0xA0 around a value', 0xa0, 0x31, 0xa0),
  bytes('half of a byte order mark', 0xef, 0xbb, 0x31),
  { name: 'a member name in Latin-1', bytes: Buffer.from('{"ç":1}', 'latin1') },
]

/** A text in another encoding, optionally with a byte order mark. */
function encoded(text: string, width: 2 | 4, isLittle: boolean, mark: string): OddJson {
  const units = [...mark, ...text].map((character) => character.codePointAt(0) ?? 0)
  const view = new DataView(new ArrayBuffer(units.length * width))
  for (const [index, unit] of units.entries()) {
    if (width === 2) view.setUint16(index * 2, unit, isLittle)
    else view.setUint32(index * 4, unit, isLittle)
  }
  const name = `${text} in UTF-${width * 8}${isLittle ? 'LE' : 'BE'}${mark === '' ? '' : ' with a byte order mark'}`
  return { name, bytes: new Uint8Array(view.buffer) }
}

const otherEncodings = ([2, 4] as const).flatMap((width) =>
  [true, false].flatMap((isLittle) => ['', '\ufeff'].map((mark) => encoded('{"k":1}', width, isLittle, mark))),
)

export const oddJson: readonly OddJson[] = [
  { name: 'nothing', bytes: new Uint8Array() },
  ...[numbers, literals, strings, structures, members, around, notUtf8, otherEncodings].flat(),
]

const LEVELS = 100_000
const deep = (name: string, open: string, inner: string, close: string): OddJson => ({
  name: `${LEVELS} levels of ${name}`,
  bytes: Buffer.from(open.repeat(LEVELS) + inner + close.repeat(LEVELS)),
})

/** Deeper than any call stack. */
export const deepJson: readonly OddJson[] = [
  deep('arrays', '[', '', ']'),
  deep('objects', '{"k":', '7', '}'),
  deep('both, with neighbours', '[0,{"k":', '"x"', '}]'),
  deep('arrays with white space', '[\n', ' ', ' ]'),
  deep('arrays that stay open', '[', '', ''),
  deep('objects that stay open', '{"k":', '', ''),
  deep('arrays closed as objects', '[', '', '}'),
  deep('arrays around half a literal', '[', 'nul', ']'),
  deep('closing brackets', '', '', ']'),
]

/** A body as a client sends it; a test cuts it at every byte. */
export const realisticBody: Uint8Array = Buffer.from(
  String.raw`{"page":1,"perPage":25,"search":"Çelik \"A\" \u015e","isPayment":true,"statusId":null,"extra":[1.50,-2e3,{}],` +
    '"dateAtBetween":{"startAt":"2025-01-01","endAt":"2025-01-31"}}',
)
