// Draws each `figure.plot` from the table that it names. `plot.ts` documents the attributes.

const STEPS = { minute: 60, day: 86_400 }
const AXES = { minute: '{HH}:{mm}', day: '{MM}-{DD}' }
const LABELS = { minute: ['Minute', '{YYYY}-{MM}-{DD} {HH}:{mm}'], day: ['Day (UTC)', '{YYYY}-{MM}-{DD}'] }
const HEIGHT = 220

/** The look of each column's line: a colour of the style sheet, and a dash or width that tells it apart without colour. */
const LOOKS = {
  calls: { colour: '--accent', fill: '--accent-faint', width: 1.5 },
  '4xx': { colour: '--ink', dash: [2, 3], width: 1.5 },
  '5xx': { colour: '--bad', width: 2 },
  p50: { colour: '--accent', width: 1.5 },
  p99: { colour: '--ink', dash: [5, 3], width: 1.5 },
  'by v1': { colour: '--accent', fill: '--accent-faint', width: 1.5 },
  'by legacy': { colour: '--ink', dash: [5, 3], width: 1.5 },
  'share on v1': { colour: '--accent', fill: '--accent-faint', width: 1.5 },
  'match rate': { colour: '--ink', dash: [5, 3], width: 1.5 },
}

function readFigure(figure) {
  const { table: id, columns, missing, unit, step, from, to } = figure.dataset
  const table = document.getElementById(id)
  const heads = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent)
  const byTime = new Map(
    Array.from(table.tBodies[0].rows, (row) => [Date.parse(row.querySelector('time').dateTime) / 1000, row]),
  )
  const times = []
  for (let at = Number(from); at <= Number(to); at += STEPS[step]) times.push(at)
  const read = (row, column) => {
    const value = row?.cells[column].querySelector('data')?.value
    if (value !== undefined) return Number(value)
    return missing === 'zero' ? 0 : null
  }
  const series = columns.split(' ').map(Number)
  return {
    unit,
    step,
    names: series.map((column) => heads[column]),
    data: [times, ...series.map((column) => times.map((at) => read(byTime.get(at), column)))],
  }
}

/** Returns the indices of values without neighbours, which a line would not show. */
function isolated(values) {
  const has = (index) => values[index] !== null && values[index] !== undefined
  return values.flatMap((_, index) => (has(index) && !has(index - 1) && !has(index + 1) ? [index] : []))
}

function optionsOf({ names, unit, missing, step }, width) {
  const style = getComputedStyle(document.documentElement)
  const colour = (name) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
  }
  const inUnit = (value) =>
    value == null ? '–' : `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })}${unit}`
  return {
    width,
    height: HEIGHT,
    // Days are those of UTC, wherever the reader is.
    ...(step === 'day' && { tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') }),
    scales: {
      x: { range: (_, first, last) => [first, last + STEPS[step]] },
      y: { range: (_, __, most) => [0, unit.endsWith('%') ? 100 : Math.max(most * 1.1, 1)] },
    },
    legend: {
      markers: { width: 2, dash: (_, number) => (LOOKS[names[number - 1]?.toLowerCase()]?.dash ? 'dashed' : 'solid') },
    },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    axes: [
      { ...axis, values: AXES[step], space: 60 },
      { ...axis, size: 60, values: (_, ticks) => ticks.map(inUnit) },
    ],
    series: [
      { label: LABELS[step][0], value: LABELS[step][1] },
      ...names.map((name) => {
        const look = LOOKS[name.toLowerCase()]
        return {
          label: name,
          stroke: colour(look.colour),
          width: look.width,
          ...(look.fill && { fill: colour(look.fill) }),
          ...(look.dash && { dash: look.dash }),
          points: {
            show: true,
            filter: (plot, number) => isolated(plot.data[number]),
            size: 4,
            fill: colour(look.colour),
          },
          paths: missing === 'zero' ? uPlot.paths.stepped({ align: 1, extend: true }) : undefined,
          value: (_, value) => inUnit(value),
        }
      }),
    ],
  }
}

/** Draws a figure, and again when its table, the window or the colours have changed. */
function draw(figure) {
  const canvas = figure.querySelector('.canvas')
  figure.hidden = false
  let plot
  const redraw = () => {
    const read = { ...readFigure(figure), missing: figure.dataset.missing }
    plot?.destroy()
    plot = new uPlot(optionsOf({ ...read, unit: read.unit && ` ${read.unit}` }, canvas.clientWidth), read.data, canvas)
  }
  redraw()
  new ResizeObserver(() => {
    if (canvas.clientWidth > 0 && canvas.clientWidth !== plot.width) {
      plot.setSize({ width: canvas.clientWidth, height: HEIGHT })
    }
  }).observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => figure.isConnected && redraw())
  document.addEventListener('refreshed', () => figure.isConnected && redraw())
}

const drawNew = () => {
  for (const figure of document.querySelectorAll('figure.plot[hidden]')) draw(figure)
}

drawNew()
document.addEventListener('refreshed', drawNew)
