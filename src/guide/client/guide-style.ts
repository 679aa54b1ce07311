import { SNIPPET_LANGUAGES } from '../../exchange/guide-form.ts'

/** Hides the programs in all languages but the chosen one. A browser without `:has` shows all. */
const CHOSEN = SNIPPET_LANGUAGES.map(
  (language) => `main:has(#in-${language}:checked) .program:not([data-in="${language}"])`,
).join(',\n')

/** What a guide looks like, besides the style of all pages. */
export const GUIDE_STYLE = `
main { padding-bottom: 3rem }
h3 { margin-top: 1.25rem }
.verdict-sentence { margin-top: .75rem }
.wanted > p { margin: 0 }
main > p, main > ol li, .wanted li, .operation > p { max-width: 60rem; overflow-wrap: anywhere }
ol li, .wanted li { margin: .25rem 0 }
.wanted ul { margin: .25rem 0 0; padding-left: 1.25rem }
.common { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0 2.5rem }
.common > div { min-width: 0; overflow-wrap: anywhere }
.common p { margin: 0 }
.languages {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0 1rem;
  margin: 2rem 0 0; padding: .375rem 0; border: 0; border-bottom: 1px solid var(--line); background: var(--page);
}
.languages legend { float: left; padding: 0; color: var(--quiet); font-size: .8125rem; line-height: 1.75rem }
.languages label { display: flex; align-items: center; gap: .375rem; margin: 0; color: var(--ink); font-size: .9375rem; line-height: 1.75rem }
.languages input { min-height: 0; margin: 0; accent-color: var(--accent) }
.operation { scroll-margin-top: 3.5rem }
.operation h2 { overflow-wrap: anywhere }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 0 2rem }
.pair > div { min-width: 0 }
.pair h3, .pair .note { margin-bottom: 0 }
.program .note { margin-top: .25rem }
.lines { margin: .25rem 0 }
.lines > div { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2rem; padding: .375rem 0; border-bottom: 1px solid var(--line) }
.lines > .bare { grid-template-columns: minmax(0, 1fr) }
.lines dt, .lines dd { margin: 0; overflow-wrap: anywhere }
.why { display: block; color: var(--quiet); font-size: .875rem }
.place { display: block }
.place small { white-space: nowrap }
${CHOSEN} { display: none }
@media (max-width: 40rem) {
  .lines > div { grid-template-columns: minmax(0, 1fr) }
  .operation { scroll-margin-top: 5.25rem }
}
@media print {
  header, .languages, .operation > .note { display: none }
  pre { break-inside: avoid }
}
`
