import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { newerThan, parseReleases } from '../src/updates/releases.ts'
import { endProcesses, newFolder, ROOT } from './support/process.ts'
import { newSigningKey, signFile } from './support/release-server.ts'

afterAll(endProcesses)

const { version } = manifest
const key = newSigningKey()

/** The executables of a release, with their signatures. */
function givenFiles(comment = (target: string) => `florin ${version} ${target}`): string {
  const folder = newFolder()
  mkdirSync(join(folder, 'dist'))
  for (const name of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'windows-x64.exe']) {
    const content = Buffer.from(`program ${name}`)
    const file = join(folder, `dist/florin-${name}`)
    writeFileSync(file, content)
    writeFileSync(`${file}.minisig`, signFile(key, content, comment(name.replace('.exe', ''))))
  }
  writeFileSync(join(folder, 'dist/florin.start-order'), 'v2\n')
  return folder
}

function run(folder: string, script: string, ...args: string[]) {
  const env = { ...process.env, FLORIN_RELEASE_KEY: key.line }
  const command = [process.execPath, join(ROOT, '.ci', script), '--url=https://dl.example/v1', ...args]
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder, env })
  return { exitCode, stdout: `${stdout}`, stderr: `${stderr}` }
}

test('the release list is what florin update reads, and keeps earlier releases', () => {
  const folder = givenFiles()
  const earlier = { releases: [{ version: '0.0.9', security: true, files: [] }] }
  writeFileSync(join(folder, 'earlier.json'), JSON.stringify(earlier))
  expect(run(folder, 'release-index.ts', '--previous=earlier.json')).toMatchObject({ exitCode: 0 })
  const releases = parseReleases(readFileSync(join(folder, 'dist/index.json'), 'utf8'))
  expect(releases[0]?.files.map(({ target }) => target).sort()).toEqual(
    ['linux-x64', 'linux-arm64', 'darwin-arm64', 'windows-x64'].sort(),
  )
  expect(newerThan('0.0.1', 'windows-x64', releases)).toMatchObject({
    release: { version, isSecurity: false, file: { url: 'https://dl.example/v1/florin-windows-x64.exe' } },
    isSecurity: true,
  })
})

test.each<[string, (target: string) => string, RegExp]>([
  ['of another version', target => `florin 9.9.9 ${target}`, /was signed as "florin 9[.]9[.]9/],
  ['for another system', () => `florin ${version} linux-x64`, /was signed as/],
])('a release with a signature %s is not listed', (_, comment, words) => {
  const { exitCode, stderr } = run(givenFiles(comment), 'release-index.ts')
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(words)])
})

test('the Homebrew formula has the files of the release and their checksums', () => {
  const { exitCode, stdout } = run(givenFiles(), 'homebrew.ts')
  const sha256 = createHash('sha256').update('program darwin-arm64').digest('hex')
  expect(exitCode).toBe(0)
  expect(stdout).toContain(`url "https://dl.example/v1/florin-darwin-arm64"\n      sha256 "${sha256}"`)
  expect(stdout).toMatch(/^ {2}desc "[A-Z][^"]{0,79}"$/m)
  // The folder of the service has to exist before it starts.
  expect(stdout).toMatch(/working_dir (.*)\n/)
  expect(stdout).toContain(`(${/working_dir (.*)\n/.exec(stdout)?.[1]}).mkpath`)
  // The formula closes as many blocks as it opens.
  expect(stdout.match(/^\s*(class|def|test do|service do|on_\w+ do)\b/gm)?.length).toBe(
    stdout.match(/^\s*end$/gm)?.length ?? 0,
  )
})
