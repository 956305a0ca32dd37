// Generates the modules of texts from the message files, and lists stale translations: `npm run texts`. `npm
// run texts -- reviewed de choose.title` records that a translation fits its English text; without a key, all
// of the language; without a language, all translations.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas, cataloguesOf, moduleIn, reviewed, reviewsFile, staleIn } from './message-files.ts'

const [command, language, ...paths] = process.argv.slice(2)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

for (const area of areas) {
  mkdirSync(join(area.folder, 'made'), { recursive: true })
  for (const tag of cataloguesOf(area).keys()) {
    const { file, text } = moduleIn(area, tag)
    writeFileSync(file, text)
  }
  if (command === 'reviewed') {
    const reviews = reviewed(
      area,
      (tag, path) => (!language || language === tag) && (paths.length === 0 || paths.includes(path)),
    )
    writeFileSync(reviewsFile(area), `${JSON.stringify(reviews, null, 2)}\n`)
  }
  for (const stale of staleIn(area)) print(`Compare with English, whose text has changed: ${stale}`)
}
