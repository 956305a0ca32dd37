import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder, ROOT } from './support/process.ts'
import { findProgram, remedyOf } from './support/programs.ts'

const UNIT = join(ROOT, '.github/systemd/florin.service')
/** From 0 (safe) to 100 (exposed). A unit with only User and NoNewPrivileges has about 85. */
const EXPOSURE_MAX = 15

test('the systemd unit runs as its own user, has no privileges and writes to two directories', () => {
  const settings = readFileSync(UNIT, 'utf8').matchAll(/^(\w+)=(.*)$/gm)
  expect(Object.fromEntries([...settings].map(([, name, value]) => [name, value]))).toMatchObject({
    User: 'florin',
    NoNewPrivileges: 'true',
    CapabilityBoundingSet: '',
    AmbientCapabilities: '',
    ProtectSystem: 'strict',
    ProtectHome: 'true',
    StateDirectory: 'florin',
    StateDirectoryMode: '0700',
    ReadWritePaths: '-/var/backups/florin',
    UMask: '0077',
    LimitCORE: '0',
  })
})

// Most containers have no systemd and need none, so that CI may be without it too.
const program = findProgram('systemd-analyze')
if (program === null) {
  const missing = `systemd-analyze was not found; ${remedyOf('systemd-analyze')}`
  process.stderr.write(`systemd itself does not check the systemd unit: ${missing}\n`)
} else {
  describe('systemd finds that the unit', () => {
    function analyze(...args: string[]) {
      const { exitCode, stdout, stderr } = Bun.spawnSync([program!, ...args, '--no-pager'])
      return { exitCode, output: `${stdout}${stderr}` }
    }

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
}
