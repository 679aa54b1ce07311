import type { AnswerLine } from '../../../../../src/mapping/corrections/corrections.ts'
import type { Operation } from '../../../../../src/mapping/operation.ts'
import { seededRandom } from '../../../../support/seeded-random.ts'
import { list, one, pages, quotes } from './learning.ts'

/** A source of random values. */
class Dice {
  readonly random: () => number
  constructor(seed: number) {
    this.random = seededRandom(seed)
  }
  whole(below: number): number {
    return Math.floor(this.random() * below)
  }
  pick<T>(all: readonly T[]): T {
    return all[this.whole(all.length)] as T
  }
  bool(): boolean {
    return this.random() < 0.5
  }
  word(least = 4): string {
    const length = least + this.whole(6)
    return Array.from({ length }, () => String.fromCharCode(97 + this.whole(26))).join('')
  }
  time(): number {
    return 1_600_000_000_000 + this.whole(100_000_000) * 1_000 + this.whole(1_000)
  }
  price(): number {
    return (1 + this.whole(1_000_000)) / 100
  }
}

type Members = Record<string, unknown>

/** One way in which v1 deviates: writes its members into both rows. */
interface Way {
  readonly legacy: string
  /** Undefined: no line explains it, or none for certain. */
  readonly line: AnswerLine | undefined
  readonly write: (legacy: Members, v1: Members, dice: Dice) => void
}

const legacyTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`
const inner = (object: Members, name: string): Members => {
  object[name] ??= {}
  return object[name] as Members
}

/** A member of another name, in another form. */
const way = (
  legacy: string,
  line: AnswerLine | undefined,
  write: (legacy: Members, v1: Members, dice: Dice) => void,
): Way => ({ legacy, line, write })

const ofList: readonly Way[] = [
  way('[].plate', { from: 'items[].plateCode' }, (l, v, d) => {
    l.plate = v.plateCode = d.word()
  }),
  way('[].population', { from: 'items[].inhabitants' }, (l, v, d) => {
    l.population = v.inhabitants = d.whole(5_000_000)
  }),
  way('[].hasPort', { from: 'items[].port' }, (l, v, d) => {
    l.hasPort = v.port = d.bool()
  }),
  way('[].region.name', { from: 'items[].regionName' }, (l, v, d) => {
    inner(l, 'region').name = v.regionName = d.word()
  }),
  way('[].region.code', { from: 'items[].regionCode' }, (l, v, d) => {
    inner(l, 'region').code = v.regionCode = d.whole(9_000)
  }),
  way('[].latitude', { from: 'items[].geo.lat' }, (l, v, d) => {
    l.latitude = inner(v, 'geo').lat = d.whole(180_000) / 1_000
  }),
  way('[].longitude', { from: 'items[].geo.lng' }, (l, v, d) => {
    l.longitude = inner(v, 'geo').lng = d.whole(360_000) / 1_000
  }),
  way('[].area', { from: 'items[].area', as: 'string' }, (l, v, d) => {
    v.area = d.whole(100_000) / 10
    l.area = String(v.area)
  }),
  way('[].altitude', { from: 'items[].altitude', as: 'number' }, (l, v, d) => {
    l.altitude = d.whole(4_000)
    v.altitude = String(l.altitude)
  }),
  way('[].isCapital', { from: 'items[].isCapital', as: '0/1' }, (l, v, d) => {
    v.isCapital = d.bool()
    l.isCapital = v.isCapital === true ? 1 : 0
  }),
  way(
    '[].state',
    { from: 'items[].status', enum: { closed: 'PASSIVE', open: 'ACTIVE', planned: 'FUTURE' } },
    (l, v, d) => {
      const [name, other] = d.pick([
        ['open', 'ACTIVE'],
        ['closed', 'PASSIVE'],
        ['planned', 'FUTURE'],
      ] as const)
      l.state = name
      v.status = other
    },
  ),
  way(
    '[].kind',
    {
      from: 'items[].type',
      enum: [
        [1, 'CITY'],
        [2, 'TOWN'],
      ],
    },
    (l, v, d) => {
      const [name, other] = d.pick([
        [1, 'CITY'],
        [2, 'TOWN'],
      ] as const)
      l.kind = name
      v.type = other
    },
  ),
  way('[].createdAt', { from: 'items[].createdAt', as: 'timestamp' }, (l, v, d) => {
    const ms = d.time()
    l.createdAt = legacyTime(ms)
    v.createdAt = new Date(ms).toISOString()
  }),
  way('[].foundedOn', { from: 'items[].foundedAt', as: 'date' }, (l, v, d) => {
    const at = new Date(d.time()).toISOString()
    l.foundedOn = at.slice(0, 10)
    v.foundedAt = at
  }),
  way('[].updated', { from: 'items[].updatedAt', as: 'epoch' }, (l, v, d) => {
    const ms = d.time()
    l.updated = Math.floor(ms / 1_000)
    v.updatedAt = new Date(ms).toISOString()
  }),
  way('[].mayor', { lost: 'v1 does not have it' }, (l, _, d) => {
    l.mayor = d.word(8)
  }),
  way('[].uuid', { drop: true }, (_, v, d) => {
    v.uuid = d.word(12)
  }),
  way('[].label', { join: ['items[].countryCode', '-', 'items[].number'] }, (l, v, d) => {
    v.countryCode = d.word(2).slice(0, 2)
    v.number = String(10 + d.whole(90))
    l.countryCode = v.countryCode
    l.number = v.number
    l.label = `${v.countryCode}-${v.number}`
  }),
  way('[].iata', { from: 'items[].iata', as: 'upper' }, (l, v, d) => {
    v.iata = d.word(3)
    l.iata = String(v.iata).toUpperCase()
  }),
  way('[].slug', { from: 'items[].handle', as: 'lower' }, (l, v, d) => {
    v.handle = d.word().replace(/^./, (letter) => letter.toUpperCase())
    l.slug = String(v.handle).toLowerCase()
  }),
  way('[].comment', { from: 'items[].comment', absent: 'null' }, (l, v, d) => {
    l.comment = d.random() < 0.2 ? d.word() : null
    if (l.comment !== null) v.comment = l.comment
  }),
  way('[].note', { from: 'items[].remark', absent: 'missing' }, (l, v, d) => {
    v.remark = d.random() < 0.2 ? d.word() : null
    if (v.remark !== null) l.note = v.remark
  }),
]

const ofPages: readonly Way[] = [
  way('data[].total', { from: 'items[].totalMinor', scale: 2 }, (l, v, d) => {
    l.total = d.price()
    v.totalMinor = Math.round((l.total as number) * 100)
  }),
  way('data[].weight', { from: 'items[].grams', scale: 3 }, (l, v, d) => {
    v.grams = 1 + d.whole(50_000)
    l.weight = (v.grams as number) / 1_000
  }),
  way('data[].currency.symbol', { from: 'items[].currencySymbol' }, (l, v, d) => {
    inner(l, 'currency').symbol = v.currencySymbol = d.pick(['₺', '$', '€', '£'])
  }),
  way('data[].country', undefined, (l) => {
    l.country = 'TR'
  }),
  way('data[].title', { join: ['No ', 'items[].number'] }, (l, v, d) => {
    l.number = v.number = d.word()
    l.title = `No ${v.number}`
  }),
  way('data[].issuedAt', { from: 'items[].issueTime', as: 'timestamp' }, (l, v, d) => {
    const ms = d.time()
    l.issuedAt = legacyTime(ms)
    v.issueTime = new Date(ms).toISOString()
  }),
  way(
    'data[].isPaid',
    {
      from: 'items[].payment',
      enum: [
        [false, 'OPEN'],
        [true, 'PAID'],
      ],
    },
    (l, v, d) => {
      l.isPaid = d.bool()
      v.payment = l.isPaid === true ? 'PAID' : 'OPEN'
    },
  ),
  way('data[].discount', { lost: 'v1 does not have it' }, (l, _, d) => {
    l.discount = d.price()
  }),
  way('data[].tax', { drop: true }, (_, v, d) => {
    v.tax = { rate: d.whole(20), code: d.word() }
  }),
  way('data[].isDraft', { from: 'items[].draft', as: 'string' }, (l, v, d) => {
    v.draft = d.bool()
    l.isDraft = String(v.draft)
  }),
]

const ofQuotes: readonly Way[] = [
  way('[].fuel', { from: 'items[].fuelSurcharge', as: 'string' }, (l, v, d) => {
    v.fuelSurcharge = d.price()
    l.fuel = String(v.fuelSurcharge)
  }),
  way('[].eta', { from: 'items[].arrival', as: 'date' }, (l, v, d) => {
    v.arrival = new Date(d.time()).toISOString()
    l.eta = String(v.arrival).slice(0, 10)
  }),
  way('[].tags', { from: 'items[].labels' }, (l, v, d) => {
    l.tags = v.labels = Array.from({ length: d.whole(3) }, () => d.word())
  }),
  way('[].packages[].volumetric', { from: 'items[].packages[].dimWeight' }, (l, v, d) => {
    for (const [row, other] of packages(l, v, d)) row.volumetric = other.dimWeight = d.price()
  }),
  way('[].packages[].currency', { from: 'items[].currencyCode' }, (l, v, d) => {
    l.currencyCode = v.currencyCode = d.pick(['TRY', 'USD', 'EUR', 'GBP', 'CHF'])
    for (const [row] of packages(l, v, d)) row.currency = v.currencyCode
  }),
  way('[].packages[].fees[].title', { from: 'items[].packages[].fees[].name' }, (l, v, d) => {
    for (const [row, other] of packages(l, v, d)) {
      const names = Array.from({ length: 1 + d.whole(3) }, () => d.word())
      row.fees = names.map((title, code) => ({ code, title }))
      other.fees = names.map((name, code) => ({ code, name }))
    }
  }),
]

/** Returns the package rows of both quotes. */
function packages(legacy: Members, v1: Members, dice: Dice): readonly (readonly [Members, Members])[] {
  const count = 1 + dice.whole(3)
  legacy.packages ??= Array.from({ length: count }, (_, index) => ({ index }))
  v1.packages ??= (legacy.packages as readonly Members[]).map(({ index }) => ({ index }))
  return (legacy.packages as readonly Members[]).map((row, at) => [
    row,
    (v1.packages as readonly Members[])[at] as Members,
  ])
}

const ofRecord: readonly Way[] = [
  way('owner', { from: 'data.holder' }, (l, v, d) => {
    l.owner = v.holder = d.word()
  }),
  way('street', { from: 'data.address.street' }, (l, v, d) => {
    l.street = inner(v, 'address').street = d.word()
  }),
  way('address.zip', { from: 'data.zip' }, (l, v, d) => {
    inner(l, 'address').zip = v.zip = String(10_000 + d.whole(89_999))
    inner(v, 'address').door = (l.address as Members).door = d.whole(100)
  }),
  way('floors', { from: 'data.floors', as: 'number' }, (l, v, d) => {
    l.floors = d.whole(100)
    v.floors = String(l.floors)
  }),
  way('hasLift', { from: 'data.lift', as: '0/1' }, (l, v, d) => {
    v.lift = d.bool()
    l.hasLift = v.lift === true ? 1 : 0
  }),
  way('usage', { from: 'data.purpose', enum: { flat: 'RESIDENTIAL', shop: 'COMMERCIAL' } }, (l, v, d) => {
    const isFlat = d.bool()
    l.usage = isFlat ? 'flat' : 'shop'
    v.purpose = isFlat ? 'RESIDENTIAL' : 'COMMERCIAL'
  }),
  way('built', { from: 'data.builtAt', as: 'epoch' }, (l, v, d) => {
    const ms = d.time()
    l.built = Math.floor(ms / 1_000)
    v.builtAt = new Date(ms).toISOString()
  }),
  way('architect', { lost: 'v1 does not have it' }, (l, _, d) => {
    l.architect = d.word(9)
  }),
  way('energyClass', { drop: true }, (_, v, d) => {
    v.energyClass = d.word()
  }),
  way('deposit', { from: 'data.depositMinor', scale: 2 }, (l, v, d) => {
    l.deposit = d.price()
    v.depositMinor = Math.round((l.deposit as number) * 100)
  }),
]

/** The two services of one operation, made up from a seed. */
export interface FakeServices {
  readonly mapping: Operation
  readonly ways: readonly Way[]
  /** Returns the rows or the record of both sides. */
  answer(): { readonly legacy: unknown; readonly v1: unknown }
}

/** Makes up services that deviate in 48 ways, of which all but the constant have a line. */
export function fakeServices(seed: number): readonly FakeServices[] {
  const dice = new Dice(seed)
  const rowOf = (ways: readonly Way[], id: number, salt: number, hasId: boolean): readonly [Members, Members] => {
    const own = new Dice(seed * 1_000_003 + salt * 7_919 + id)
    const legacy: Members = { ...(hasId && { id }), name: own.word() }
    const v1: Members = { ...legacy }
    for (const { write } of ways) write(legacy, v1, own)
    return [legacy, shuffled(v1, own)]
  }
  const rows = (ways: readonly Way[], salt: number, hasId: boolean) => () => {
    const first = dice.whole(300)
    const pairs = Array.from({ length: 1 + dice.whole(12) }, (_, at) => rowOf(ways, first + at + 1, salt, hasId))
    return { legacy: pairs.map(([legacy]) => legacy), v1: pairs.map(([, v1]) => v1) }
  }
  return [
    { mapping: list, ways: ofList, answer: rows(ofList, 1, true) },
    { mapping: pages, ways: ofPages, answer: rows(ofPages, 2, true) },
    { mapping: quotes, ways: ofQuotes, answer: rows(ofQuotes, 3, false) },
    {
      mapping: one,
      ways: ofRecord,
      answer: () => {
        const [legacy, v1] = rowOf(ofRecord, dice.whole(500), 4, true)
        return { legacy, v1 }
      },
    },
  ]
}

function shuffled(members: Members, dice: Dice): Members {
  return Object.fromEntries(
    Object.entries(members)
      .map((entry) => [dice.random(), entry] as const)
      .sort(([one], [other]) => one - other)
      .map(([, entry]) => entry),
  )
}
