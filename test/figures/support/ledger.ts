/** Facts with the figure that each place gives for them. */
export interface Ledger {
  /** Notes that a place (a page, a report, `planted`) gives this figure for a fact. */
  note(fact: string, place: string, figure: string | number): void
  /** Returns each fact for which two places give different figures, with both; and each that has one place only. */
  disagreements(): readonly string[]
  readonly facts: number
}

export function openLedger(): Ledger {
  const facts = new Map<string, Map<string, string>>()
  return {
    note(fact, place, figure) {
      const places = facts.get(fact) ?? new Map<string, string>()
      facts.set(fact, places)
      // The same place may give a figure twice.
      const name = places.has(place) && places.get(place) !== plain(figure) ? `${place}, again` : place
      places.set(name, plain(figure))
    },
    disagreements: () =>
      [...facts].flatMap(([fact, places]) => {
        const all = [...places].map(([place, figure]) => `${place}: ${figure}`)
        if (new Set(places.values()).size > 1) return [`${fact}: ${all.join(' | ')}`]
        return places.size === 1 ? [`${fact}: only ${all.join()}`] : []
      }),
    get facts() {
      return facts.size
    },
  }
}

/** Figures are compared as they read, apart from separators. */
const plain = (figure: string | number): string => String(figure).replaceAll(/(?<=\d),(?=\d{3})/g, '')

/** How a share must read, worked out in another way than the product does: cut after two decimals. */
export function cut(share: number): string {
  const [whole = '0', decimals = ''] = (share * 100).toFixed(9).split('.')
  const two = decimals.slice(0, 2)
  if (share > 0 && Number(whole) === 0 && two === '00') return '< 0.01 %'
  return two === '00' ? `${whole} %` : `${whole}.${two} %`
}
