import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { runInProcess } from './in-process.ts'

afterAll(endProcesses)

test('doctor finds nothing that needs an action in a fresh demo', async () => {
  const folder = newFolder()
  await startProcess(FLORIN, ['demo'], { FLORIN_DATA_DIR: folder })
  const environment = { FLORIN_DATA_DIR: join(folder, 'demo'), FLORIN_SANDBOX: 'true' }
  const { exitCode, stdout } = await runInProcess(environment, 'doctor', '--json')
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([])
  expect(findings.map(({ check }) => check)).toContain('notifications')
  expect(exitCode).toBe(0)
})
