// Renews the page in place when the gateway says that newer numbers exist. What is open, typed, focused or scrolled stays.

const AGAIN_MS = 30_000
let events
/** Whether changes may have come while nobody listened. */
let isLate = false

/** Returns what tells a node from its neighbours: its id, or what heads it. A summary has counts, and a time is written anew. */
function nameOf(node) {
  if (node.id || !node.matches?.('tr, section, details')) return node.id
  const head = node.querySelector('th, caption, h3, summary')
  const text = head?.querySelector('time')?.dateTime ?? head?.textContent
  return head?.localName === 'summary' ? text.replaceAll(/\d[\d,.]*/g, '') : text
}

/** Makes a node like another, and leaves alone what is the same, a time that is already in the reader's zone, fields and drawn plots. */
function renew(old, next) {
  if (old.data !== next.data) old.data = next.data
  if (old.nodeType !== Node.ELEMENT_NODE) return
  if (old.matches('.canvas, .renewal, input, textarea, select, time') && old.dateTime === next.dateTime) return
  for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
    if (name === 'open' || name === 'hidden' || old.getAttribute(name) === next.getAttribute(name)) continue
    next.hasAttribute(name) ? old.setAttribute(name, next.getAttribute(name)) : old.removeAttribute(name)
  }
  const gone = [...old.childNodes]
  const pairs = [...next.childNodes].map((child) => {
    const at = gone.findIndex((each) => each.nodeName === child.nodeName && nameOf(each) === nameOf(child))
    return [child, at === -1 ? undefined : gone.splice(at, 1)[0]]
  })
  for (const node of gone) node.remove()
  for (const [at, [child, same]] of pairs.entries()) {
    if (same) renew(same, child)
    if (old.childNodes[at] !== (same ?? child)) old.insertBefore(same ?? child, old.childNodes[at] ?? null)
  }
}

async function refresh() {
  if (!getSelection().isCollapsed) return
  const headers = { accept: 'text/html', 'x-renewal': '1' }
  const answer = await fetch(location.href, { headers, signal: AbortSignal.timeout(AGAIN_MS) })
  if (!answer.ok) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const focused = document.activeElement
  for (const part of ['main', 'footer']) renew(document.querySelector(part), next.querySelector(part))
  if (focused.isConnected) focused.focus({ preventScroll: true })
  document.dispatchEvent(new Event('refreshed'))
}

/** Listens while someone looks at the page: each stream takes a connection. */
function listen() {
  events?.close()
  isLate ||= document.hidden
  if (document.hidden) return
  events = new EventSource('/changes')
  const renewal = document.querySelector('.renewal')
  const update = () => refresh().catch(() => {})
  events.onopen = () => {
    renewal.replaceChildren('This page renews itself. ')
    if (isLate) update()
    isLate = false
  }
  events.onerror = () => {
    isLate = true
    renewal.replaceChildren('Reload this page to see newer numbers. ')
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MS)
  }
  events.addEventListener('changed', update)
}

document.addEventListener('visibilitychange', listen)
listen()
