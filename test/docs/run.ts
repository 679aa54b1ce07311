import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { generated } from './generated.ts'

for (const [file, make] of Object.entries(generated)) {
  const text = make()
  const isNew = !existsSync(file) || readFileSync(file, 'utf8') !== text
  if (isNew) writeFileSync(file, text)
  console.log(`${file}: ${isNew ? 'renewed' : 'up to date'}`)
}
