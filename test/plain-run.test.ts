import { expect, test } from 'bun:test'
import { join } from 'node:path'

test('plain `bun test` prints in one line what to run instead', () => {
  const { BUN_TEST_WORKER_ID: _, ...env } = process.env
  const cwd = join(import.meta.dir, '..')
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'test'], { cwd, env })
  expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining('`npm run test:fast`')])
})
