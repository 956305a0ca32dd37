// Builds the executable of the current commit twice, in different folders, and compares the bytes.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const home = mkdtempSync(join(tmpdir(), 'florin-reproduce-'))

function run(command: string[], cwd: string, more: Record<string, string> = {}): void {
  const { exitCode, stderr } = Bun.spawnSync(command, {
    cwd,
    env: { ...process.env, ...more },
    stdout: 'ignore',
  })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`)
}

/** What must not matter: the folder, its depth, the time zone, the language and the home folder. */
const places = [
  { folder: 'a', TZ: 'UTC', LANG: 'C', HOME: home },
  { folder: 'another/and a deeper one', TZ: 'Asia/Kathmandu', LANG: 'de_DE.UTF-8', HOME: tmpdir() },
]

try {
  const hashes: string[] = []
  for (const { folder, ...environment } of places) {
    const clone = join(home, folder)
    mkdirSync(clone, { recursive: true })
    run(['git', 'clone', '--quiet', ROOT, clone], home)
    cpSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    run([process.execPath, '.ci/texts.ts'], clone)
    run([process.execPath, '.ci/build.ts'], clone, environment)
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(clone, 'dist/florin')).bytes())
    hashes.push(hash.digest('hex'))
    process.stdout.write(`${hashes.at(-1)}  ${folder}\n`)
  }
  if (new Set(hashes).size > 1) throw new Error('the builds differ')
  process.stdout.write('Both builds have the same bytes.\n')
} finally {
  rmSync(home, { recursive: true, force: true })
}
