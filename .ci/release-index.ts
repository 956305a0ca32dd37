// Writes index.json, the list of releases that florin update reads, for the files of dist/: --url=FOLDER_OF_FILES
// [--security] [--previous=INDEX]. Each file needs its signature, FILE.minisig, beside it, which is checked first.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { parsePublicKey, verifyFile } from '../src/updates/minisign.ts'
import { releaseKey } from '../src/updates/release-key.ts'
import { parseReleases } from '../src/updates/releases.ts'

const { version } = manifest
const folder = 'dist'
const url = process.argv.find(argument => argument.startsWith('--url='))?.slice('--url='.length)
const previous = process.argv
  .find(argument => argument.startsWith('--previous='))
  ?.slice('--previous='.length)
const isSecurity = process.argv.includes('--security')
const keyText = process.env.FLORIN_RELEASE_KEY || releaseKey

if (!url || !keyText) {
  process.stderr.write(
    'Name the folder of the files with --url, and set releaseKey: see "Releases" in CONTRIBUTING.md.\n',
  )
  process.exit(1)
}

const key = parsePublicKey(keyText)
const pattern = /^florin-((?:linux|darwin|windows)-(?:x64|arm64))([.]exe)?$/

const files = readdirSync(folder).flatMap(name => {
  const [, target] = pattern.exec(name) ?? []
  if (target === undefined) return []
  const path = join(folder, name)
  if (!existsSync(`${path}.minisig`)) throw new Error(`${path} has no signature`)
  const signature = readFileSync(`${path}.minisig`, 'utf8')
  const content = readFileSync(path)
  const blake2b = new Bun.CryptoHasher('blake2b512').update(content).digest()
  const comment = verifyFile(key, signature, { path, blake2b })
  if (comment !== `florin ${version} ${target}`) throw new Error(`${path} was signed as "${comment}"`)
  const sha256 = new Bun.CryptoHasher('sha256').update(content).digest('hex')
  return [{ target, url: `${url}/${name}`, sha256, signature }]
})
if (files.length === 0) throw new Error(`${folder} has no files`)

/** A server that skips versions must learn that one of them repairs a security problem. */
const earlier: { version: string }[] =
  previous && existsSync(previous) ? JSON.parse(readFileSync(previous, 'utf8')).releases : []
const releases = [{ version, security: isSecurity, files }, ...earlier.filter(one => one.version !== version)]
const index = JSON.stringify({ releases }, null, 2)
parseReleases(index)
writeFileSync(join(folder, 'index.json'), `${index}\n`)
process.stdout.write(`${folder}/index.json: ${files.map(({ target }) => target).join(', ')}\n`)
