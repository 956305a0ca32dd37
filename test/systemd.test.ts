import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder, ROOT } from './support/process.ts'
import { isMissing, programOf } from './support/programs.ts'

const UNIT = join(ROOT, '.github/systemd/florin.service')
/** From 0 (safe) to 100 (exposed). A unit with only User and NoNewPrivileges has about 85. */
const EXPOSURE_MAX = 15

const isSkipped = isMissing('Tests of the systemd unit', 'systemd-analyze')

function analyze(...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([programOf('systemd-analyze'), ...args, '--no-pager'])
  return { exitCode, output: `${stdout}${stderr}` }
}

describe.skipIf(isSkipped)('the systemd unit', () => {
  test('has no unknown settings', () => {
    const unit = join(newFolder(), 'florin.service')
    const text = readFileSync(UNIT, 'utf8').replace('/usr/local/bin/florin', process.execPath)
    writeFileSync(unit, text)
    expect(analyze('verify', unit)).toEqual({ exitCode: 0, output: '' })
    writeFileSync(unit, text.replace('UMask=', 'Umask='))
    expect(analyze('verify', unit).output).toContain('Umask')
  })

  test('exposes little of the system', () => {
    const { exitCode, output } = analyze('security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, UNIT)
    const [score] = /Overall exposure level.*/.exec(output) ?? []
    expect({ exitCode, score }).toEqual({ exitCode: 0, score: expect.stringContaining('OK') })
  })
})
