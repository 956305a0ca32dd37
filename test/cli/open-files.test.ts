import { afterAll, expect, test } from 'bun:test'
import { openFilesProblem, readOpenFiles } from '../../src/boot/open-files.ts'
import { endProcesses, FLORIN, newFolder, runCli, startProcess } from '../support/process.ts'

afterAll(endProcesses)

/** Runs Florin with a limit on open files. */
const limited = (limit: number): string[] => ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh', ...FLORIN]

test('a limit that is low, or nearly reached, is a problem', () => {
  const files = (limit: number, used: number) => openFilesProblem({ limit, used })
  expect([files(1024, 40), files(65536, 900), files(1024, 921)]).toEqual([null, null, null])
  expect(files(1023, 40)).toMatch(/^Only 1023 files and connections/)
  expect(files(1024, 922)).toMatch(/^922 of 1024 possible files/)
})

test.skipIf(process.platform !== 'linux')('the system says how many files are open', () => {
  expect(readOpenFiles()).toEqual({ limit: expect.any(Number), used: expect.any(Number) })
})

test.skipIf(process.platform !== 'linux')('a server with a low limit says so in its log', async () => {
  const server = await startProcess(limited(100), ['serve'], { FLORIN_SANDBOX: 'true' })
  const until = performance.now() + 10_000
  while (!server.stderr().includes('open_files.low') && performance.now() < until) await Bun.sleep(50)
  const line = server
    .stderr()
    .split('\n')
    .find(text => text.includes('open_files.low'))
  expect(JSON.parse(line ?? 'null')).toMatchObject({
    level: 'warn',
    limit: 100,
    reason: expect.stringMatching(/^Only 100 files and connections .* LimitNOFILE=65536/),
  })
  await server.stop()
})

test.skipIf(process.platform !== 'linux')(
  'doctor says the same about a low limit of open files',
  async () => {
    const ran = await runCli(['doctor'], { FLORIN_DATA_DIR: newFolder() }, limited(100))
    expect(ran.stdout).toMatch(/WARN {3}open files: Only 100 files .*\n.*ulimit -n/)
  },
)
