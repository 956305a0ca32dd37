// Installs what the lock file pins, including Bun, and generates TypeScript from the message files if it is
// missing. Runs in Node.js and in Bun.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stamp = 'node_modules/.florin-installed'
const wanted = createHash('sha256')
  .update(readFileSync('package-lock.json'))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex')

/** If the package manager runs no install scripts, a small placeholder is in Bun's place. */
const PLACEHOLDER_MAX_BYTES = 10_000

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  process.stderr.write(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}\n`)
  process.exit(1)
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  process.stdout.write('Installing what package-lock.json pins…\n')
  const agent = process.env.npm_config_user_agent ?? ''
  if (agent.startsWith('bun/')) run(process.env.npm_execpath ?? 'bun', ['install', '--frozen-lockfile'])
  else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (statSync('node_modules/bun/bin/bun.exe').size < PLACEHOLDER_MAX_BYTES) {
    run(process.execPath, ['node_modules/bun/install.js'])
  }
  writeFileSync(stamp, wanted)
}

const folders = ['views/texts', 'views/dashboard/texts']
const messageFiles = folders.flatMap(folder =>
  readdirSync(folder).flatMap(name => (name.endsWith('.json') ? [join(folder, name)] : [])),
)
const makers = ['.ci/texts.ts', '.ci/message-files.ts', '.ci/messages.ts']
const texts = createHash('sha256')
for (const file of [...makers, ...messageFiles]) texts.update(file).update(readFileSync(file))
const textsStamp = 'node_modules/.florin-texts'
const wantedTexts = texts.digest('hex')

if (
  folders.some(folder => !existsSync(join(folder, 'made'))) ||
  !existsSync(textsStamp) ||
  readFileSync(textsStamp, 'utf8') !== wantedTexts
) {
  run(join('node_modules', '.bin', 'bun'), ['.ci/texts.ts'])
  writeFileSync(textsStamp, wantedTexts)
}
