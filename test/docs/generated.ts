import { readFileSync } from 'node:fs'
import { messages, operations } from '../../mappings/index.ts'
import { describeReference } from '../../src/guide/reference/describe-reference.ts'
import { drawRooms } from './draw-rooms.ts'

/** The pages, or parts of pages, that `npm run docs` writes, with their current content. */
export const generated: Readonly<Record<string, () => string>> = {
  'mappings/README.md': () => describeReference(operations, messages),
  'docs/architecture.md': () => withPicture(readFileSync('docs/architecture.md', 'utf8'), drawRooms()),
}

const PICTURE = /(?<=<!-- Drawn from the imports by npm run docs\. -->\n```mermaid\n)[^`]*(?=\n```)/

function withPicture(page: string, picture: string): string {
  if (!PICTURE.test(page)) throw new Error('docs/architecture.md has no place for the picture of the rooms')
  return page.replace(PICTURE, picture)
}
