import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'florin-lint-')))
afterAll(() => rmSync(copy, { recursive: true }))

/** Lints files of the copy. Returns the place of each error of these rules. */
async function errorsIn(files: string[], rules: RegExp): Promise<string[]> {
  const options = ['--reporter=json', '--max-diagnostics=none', `--config-path=${join(copy, '.biome.jsonc')}`]
  const linter = Bun.spawn([join(root, 'node_modules/.bin/biome'), 'lint', ...options, ...files], {
    cwd: copy,
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const report = JSON.parse(await new Response(linter.stdout).text()) as {
    diagnostics: { category: string; severity: string; location: { path: string; start: { line: number } } }[]
  }
  return report.diagnostics
    .filter(({ category, severity }) => severity === 'error' && rules.test(category))
    .map(({ location }) => `${location.path}:${location.start.line}`)
}

const promisesIn = (files: string[]) => errorsIn(files, /(Floating|Misused)Promises$/)

/** An awaited call of a repository whose result is not used, on a line of its own. */
const awaited = /^(\s+)await (?=tables\.\w+\.\w+\(.*[^,]$)/

test('a missing await on a repository call is a lint error wherever one can be missing', async () => {
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true })
  cpSync(join(root, '.biome.jsonc'), join(copy, '.biome.jsonc'))
  expect(await promisesIn(['src'])).toEqual([])
  const broken: string[] = []
  const files: string[] = []
  for (const file of new Bun.Glob('src/**/*.ts').scanSync({ cwd: copy })) {
    const text = await Bun.file(join(copy, file)).text()
    const found = text.split('\n').flatMap((line, at) => (awaited.test(line) ? [`${file}:${at + 1}`] : []))
    if (found.length === 0) continue
    await Bun.write(join(copy, file), text.replace(new RegExp(awaited, 'gm'), '$1'))
    broken.push(...found)
    files.push(file)
  }
  expect(broken.length).toBeGreaterThan(20)
  expect((await promisesIn(files)).sort()).toEqual(broken.sort())
  // The rules know types, so on a busy machine the linter takes more than a minute for the whole source.
}, 180_000)

test('a network call outside of the folders for the network is a lint error', async () => {
  const file = 'src/operations/asks.ts'
  await Bun.write(join(copy, '.biome.jsonc'), Bun.file(join(root, '.biome.jsonc')))
  await Bun.write(join(copy, file), 'export const ask = () => fetch("https://shop.example")\n')
  expect(await errorsIn([file], /noRestrictedGlobals$/)).toEqual([`${file}:1`])
})
