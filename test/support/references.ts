import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A decision by its number. */
const RECORD = /docs\/decisions\/\d{4}\b(?!-)/g
/** `docs/contract.md 4.2`, or several: `docs/contract.md 4.2, 4.3 and 5`. */
const SECTION = /docs\/contract\.md ((?:\d+(?:\.\d+)?)(?:(?:, | and )\d+(?:\.\d+)?)*)/g
/** `docs/comparing.md "The rollout file"`. */
const HEADING = /([\w./-]+\.md) "([^"]+)"/g
const LINK = /\]\(([^)\s]+)\)/g

/** The broken references of a text, as written there; empty when all targets exist. */
export function brokenIn(text: string): readonly string[] {
  const records = [...text.matchAll(RECORD)]
    .map(([record]) => record)
    .filter((record) => globSync(`${record}-*.md`).length === 0)
  const sections = [...text.matchAll(SECTION)].flatMap(([, numbers = '']) =>
    numbers
      .split(/, | and /)
      .filter((number) => !sectionsOf('docs/contract.md').has(number))
      .map((number) => `docs/contract.md ${number}`),
  )
  const headings = [...text.matchAll(HEADING)].flatMap(([written, file = '', heading = '']) =>
    existsSync(file) && headingsOf(file).includes(heading) ? [] : [written],
  )
  return [...records, ...sections, ...headings]
}

/** The broken relative links of a document, with or without an anchor. */
export function brokenLinks(file: string, text = readFileSync(file, 'utf8')): readonly string[] {
  return [...withoutCode(text).matchAll(LINK)]
    .map(([, link = '']) => link)
    .filter((link) => {
      if (/^[a-z]+:/.test(link)) return false
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(target)) return true
      return anchor !== undefined && !headingsOf(target).map(anchorOf).includes(anchor)
    })
}

/** The comments of a program, each on one line. */
export function commentsOf(program: string): string {
  const comments = program.match(/(?<=^|\s)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm) ?? []
  return comments.map((comment) => comment.replaceAll(/\n\s*\*? ?/g, ' ')).join('\n')
}

/** The text of a document with each paragraph on one line. */
export const onOneLine = (text: string): string => text.replaceAll(/(?<=\S)\n(?=\S)/g, ' ')

/** The numbers of the sections, `4` and `4.2`. */
export const sectionsOf = (file: string): ReadonlySet<string> =>
  new Set(headingsOf(file).flatMap((heading) => /^\d+(?:\.\d+)?(?= )/.exec(heading) ?? []))

export const headingsOf = (file: string): readonly string[] =>
  [...withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)

/** The anchor that GitHub makes from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
