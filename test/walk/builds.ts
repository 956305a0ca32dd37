import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: 'ignore' })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`)
}

/** Replaces a part of a source file. Throws if the part is not there. */
function change(folder: string, file: string, part: string | RegExp, by: (found: string) => string): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(part, by)
  if (changed === text) throw new Error(`${file} has no ${part}`)
  writeFileSync(path, changed)
}

/** Adds a migration after which earlier versions cannot use the database. */
function addMigration(folder: string, name: string): void {
  const sql = `CREATE TABLE walk_${name} (id INTEGER PRIMARY KEY) STRICT;`
  change(
    folder,
    'migrations/index.ts',
    /\n\]/,
    end => `\n  { name: '${name}', sql: ${JSON.stringify(sql)} },${end}`,
  )
}

const openDatabase = /const storage = await database\.open\(.*\n/
/** Makes a server end right after it opened its database, except in a trial on a copy. */
const crash = "if (use.as === 'server' && !settings.dataDir.endsWith('update-trial')) process.exit(1)\n"

/** Later versions of this commit, with the changes to its source. Each has the changes of those before it. */
const versions: Record<string, (folder: string) => void> = {
  '99.0.0': folder => addMigration(folder, '9001_first'),
  '99.0.1'(folder) {
    addMigration(folder, '9002_second')
    change(folder, 'src/boot/compose.ts', openDatabase, found => found + crash)
  },
}

/** Builds the later versions into a folder, one file for each: one works, and one cannot start. */
export function buildVersions(home: string): void {
  const clone = join(home, 'clone')
  run(['git', 'clone', '--quiet', ROOT, clone], home)
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  mkdirSync(join(home, 'built'))
  let before: string = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')).version
  for (const [version, edit] of Object.entries(versions)) {
    change(clone, 'package.json', `"version": "${before}"`, () => `"version": "${version}"`)
    edit(clone)
    run([process.execPath, '.ci/texts.ts'], clone)
    run([process.execPath, '.ci/build.ts', `--order=${join(ROOT, 'dist/florin.start-order')}`], clone)
    cpSync(join(clone, 'dist/florin'), join(home, 'built', version))
    before = version
  }
  rmSync(clone, { recursive: true })
}
