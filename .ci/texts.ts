// Generates the modules of texts from the message files, and lists stale translations: `npm run texts`. `npm
// run texts -- reviewed choose.title` records that all translations of a text fit the English one; without a
// key, the translations of all texts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas, cataloguesOf, moduleIn, reviewed, reviewsFile, staleIn } from './message-files.ts'

const [command, ...paths] = process.argv.slice(2)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

for (const area of areas) {
  mkdirSync(join(area.folder, 'made'), { recursive: true })
  for (const tag of cataloguesOf(area).keys()) {
    const { file, text } = moduleIn(area, tag)
    writeFileSync(file, text)
  }
  if (command === 'reviewed') {
    const reviews = reviewed(area, path => paths.length === 0 || paths.includes(path))
    writeFileSync(reviewsFile(area), `${JSON.stringify(reviews, null, 2)}\n`)
  }
  for (const stale of staleIn(area))
    print(`Compare the translations with English, which has changed: ${stale}`)
}
