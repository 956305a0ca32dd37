// Prints the section of CHANGELOG.md for a release tag. Fails if the tag is not the version in package.json,
// or if the changelog has no section for it.
import { readFileSync } from 'node:fs'

const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

if (tag !== `v${version}`) fail(`The tag ${tag} does not match the version ${version} in package.json.`)

const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
const section = sections.find(text => text.startsWith(`[${version}]`))
if (section === undefined) fail(`CHANGELOG.md has no section "## [${version}]".`)

const notes = section.split('\n').slice(1).join('\n').trim()
if (notes === '') fail(`The section "## [${version}]" of CHANGELOG.md is empty.`)
process.stdout.write(`${notes}\n`)
