import { raw } from 'hono/html'

/** The style of a report: light or dark as the reader prefers, with colour only where it matters. */
export const STYLE = raw(`<style>
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f7f5, #16181b); --card: light-dark(#ffffff, #1e2125); --line: light-dark(#e3e3df, #33373d);
  --text: light-dark(#1f2328, #e4e6e9); --quiet: light-dark(#646b75, #98a0aa);
  --good: light-dark(#1a7f4b, #58c98b); --bad: light-dark(#b3372f, #f0857d); --unsure: light-dark(#8a6100, #dfb352);
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25 }
h2 { margin: 0; font-size: 1.1rem }
p { margin: .25rem 0 }
a { color: inherit }
small, .quiet { color: var(--quiet) }
code { font: .9em ui-monospace, monospace; overflow-wrap: break-word }
td a { white-space: nowrap }
section, .tiles > div, .note, main > .wide { background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
section, .note { margin-top: 1rem; padding: 1rem }
main > .wide { padding: .25rem 1rem }
.note { border-left: .25rem solid var(--unsure) }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .5rem; margin: 1rem 0 }
.tiles > div { padding: .5rem .75rem }
dt { color: var(--quiet) }
dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums }
.tiles .none dd { color: var(--quiet) }
.matched dd, .ready, .confirmed { color: var(--good) }
.mismatched dd, .failed dd, .not-ready, .refuted { color: var(--bad) }
.insufficient-data { color: var(--unsure) }
.verdict { font-weight: 600 }
.wide { overflow-x: auto }
table { width: 100%; border-collapse: collapse }
th, td { padding: .45rem 1rem .45rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line) }
thead th { border-top: 0; color: var(--quiet); font-weight: 500; white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.lines { min-width: 18rem; color: var(--quiet); font-variant-numeric: tabular-nums }
details { margin-top: .75rem }
summary { cursor: pointer; color: var(--quiet) }
@media print { body { background: none } details { display: block } }
</style>`)
