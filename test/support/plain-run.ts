import { setDefaultTimeout } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'

// bunfig.toml loads this before the tests. Without the name of a file, `bun test` would run all of them one
// after another, without the executable and the databases that test/run.ts makes for them.
const COMMAND_LINE = '/proc/self/cmdline'

if (process.env.BUN_TEST_WORKER_ID === undefined && existsSync(COMMAND_LINE)) {
  const [, , ...given] = readFileSync(COMMAND_LINE, 'utf8').split('\0').filter(Boolean)
  if (given.every(argument => argument.startsWith('-'))) {
    process.stderr.write('Run `npm run test:fast` or `npm test` instead, or name files: `bun test FILE`.\n')
    process.exit(1)
  }
}

// As in test/run.ts: five seconds, Bun's own limit, are not enough for what starts servers on a busy machine.
setDefaultTimeout(60_000)
