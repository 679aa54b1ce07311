/** One plot: its title, and the drawing below it in a box of `WIDTH` by `HEIGHT`. */
export interface Plot {
  readonly title: string
  readonly drawing: string
}

interface Lines {
  readonly title: string
  readonly x: string
  /** Both axes start at 0, or at a power of ten. */
  readonly scale: 'linear' | 'log'
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

interface Bars {
  readonly title: string
  readonly groups: readonly {
    readonly name: string
    readonly bars: readonly { readonly name: string; readonly value: number }[]
  }[]
}

const WIDTH = 560
const HEIGHT = 300
const MARGIN = { left: 60, right: 16, top: 34, bottom: 44 }
const INNER = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom }
const COLOURS = ['#0b6bcb', '#7a8794', '#d9822b', '#3f8f5b', '#8e5bb5']
const INK = '#39424e'

/** A line through points. */
export function lines({ title, x, scale, points }: Lines): Plot {
  const across = axis(
    points.map((point) => point.x),
    scale,
    INNER.width,
  )
  const up = axis(
    points.map((point) => point.y),
    scale,
    INNER.height,
  )
  const at = points.map((point) => `${across.at(point.x).toFixed(1)},${(INNER.height - up.at(point.y)).toFixed(1)}`)
  const dots = scale === 'log' ? at.map((place) => `<circle r="3" ${centre(place)} fill="${COLOURS[0]}"/>`) : []
  const drawing = [
    frame(up),
    ...across.marks.map((mark) => text(across.at(mark), INNER.height + 16, short(mark), 'middle')),
    text(INNER.width / 2, INNER.height + 34, x, 'middle'),
    `<polyline points="${at.join(' ')}" fill="none" stroke="${COLOURS[0]}" stroke-width="2"/>`,
    ...dots,
  ]
  return { title, drawing: drawing.join('') }
}

/** Bars side by side, in groups, their names in a legend. */
export function bars({ title, groups }: Bars): Plot {
  const up = axis(
    groups.flatMap((group) => group.bars.map(({ value }) => value)),
    'linear',
    INNER.height,
  )
  const room = INNER.width / groups.length
  const drawing = groups.flatMap((group, place) => {
    const width = (room * 0.8) / group.bars.length
    return [
      ...group.bars.map(({ value }, index) => {
        const left = place * room + room * 0.1 + index * width
        const size = `x="${left.toFixed(1)}" y="${(INNER.height - up.at(value)).toFixed(1)}" width="${(width - 1).toFixed(1)}"`
        return `<rect ${size} height="${up.at(value).toFixed(1)}" fill="${COLOURS[index % COLOURS.length]}"/>`
      }),
      text((place + 0.5) * room, INNER.height + 16, group.name, 'middle'),
    ]
  })
  const legend = (groups[0]?.bars ?? []).map(({ name }, index) => {
    const left = index * 100
    const colour = COLOURS[index % COLOURS.length]
    return `<rect x="${left}" y="${INNER.height + 26}" width="10" height="10" fill="${colour}"/>${text(left + 15, INNER.height + 35, name, 'start')}`
  })
  return { title, drawing: [frame(up), ...drawing, ...legend].join('') }
}

/** Plots below one another, two in a row, as one SVG. */
export function sheet(plots: readonly Plot[]): string {
  const drawn = plots.map(({ title, drawing }, index) => {
    const [left, top] = [(index % 2) * WIDTH, Math.floor(index / 2) * HEIGHT]
    const heading = `<text x="${MARGIN.left}" y="16" font-weight="600">${escaped(title)}</text>`
    return `<g transform="translate(${left} ${top})">${heading}<g transform="translate(${MARGIN.left} ${MARGIN.top})">${drawing}</g></g>`
  })
  const [width, height] = [2 * WIDTH, Math.ceil(plots.length / 2) * HEIGHT]
  const style = `font-family="system-ui, sans-serif" font-size="11" fill="${INK}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ${style}>
<title>${plots.map(({ title }) => title).join('; ')}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${drawn.join('\n')}
</svg>
`
}

interface Axis {
  readonly marks: readonly number[]
  /** The distance of a value from the start of its axis, in pixels. */
  at(value: number): number
}

function axis(values: readonly number[], scale: 'linear' | 'log', length: number): Axis {
  if (scale === 'log') {
    const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))]
    const decades = Math.max(high - low, 1)
    const marks = Array.from({ length: decades + 1 }, (_, index) => 10 ** (low + index))
    return { marks, at: (value) => ((Math.log10(value) - low) / decades) * length }
  }
  const most = Math.max(...values)
  const step =
    [1, 2, 2.5, 5, 10].map((of) => of * 10 ** Math.floor(Math.log10(most / 4))).find((of) => most / of <= 5) ?? most
  const count = Math.ceil(most / step)
  return {
    marks: Array.from({ length: count + 1 }, (_, index) => index * step),
    at: (value) => (value / (count * step)) * length,
  }
}

/** Horizontal lines at the marks of the vertical axis. */
function frame(up: Axis): string {
  const line = (mark: number): string => {
    const y = (INNER.height - up.at(mark)).toFixed(1)
    return `<line x1="0" x2="${INNER.width}" y1="${y}" y2="${y}" stroke="#dfe4ea"/>${text(-6, Number(y) + 4, short(mark), 'end')}`
  }
  return up.marks.map(line).join('')
}

const short = (value: number): string =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : `${+value.toPrecision(6)}`
const escaped = (words: string): string => words.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)
const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped(words)}</text>`
const centre = (place: string): string => {
  const [x, y] = place.split(',')
  return `cx="${x}" cy="${y}"`
}
