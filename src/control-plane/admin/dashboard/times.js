// Writes each time of the page in the reader's zone, with its name and how long ago it was. UTC is in the title. Days stay days of UTC.

// 30 hours ago need not be yesterday: `1 day ago`.
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]
const LONGEST_DAYS = 60

const twoDigits = (value) => String(value).padStart(2, '0')

const localTime = (date) =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`

/** Returns the name of the reader's zone at a time, such as `CET` or `GMT+3`. */
const zoneAt = (date) =>
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** Returns `3 min. ago`; empty if it was months ago. */
function relativeTo(now, date) {
  const seconds = (date.getTime() - now) / 1_000
  if (Math.abs(seconds) > LONGEST_DAYS * 86_400) return ''
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS.at(-1)
  return RELATIVE.format(Math.trunc(seconds / size), unit)
}

function writeTime(element, now) {
  // Someone wrote it in this zone, which it names.
  if (element.dataset.written !== undefined) return
  const date = new Date(element.dateTime)
  if (!element.title) element.title = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const ago = relativeTo(now, date)
  // The first cell of a row names it, and the plots read it: it stays short.
  const small =
    ago === '' || element.closest('th')
      ? []
      : [' ', Object.assign(document.createElement('small'), { textContent: `(${ago})` })]
  element.replaceChildren(`${localTime(date)} ${zoneAt(date)}`, ...small)
}

function writeAll() {
  const now = Date.now()
  for (const element of document.querySelectorAll('time[datetime*="T"]')) writeTime(element, now)
  for (const element of document.querySelectorAll('.zone')) {
    element.textContent = `Times are in your zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}, unless another is named; UTC is in the hint of each.`
  }
}

writeAll()
setInterval(writeAll, 30_000)
document.addEventListener('refreshed', writeAll)
