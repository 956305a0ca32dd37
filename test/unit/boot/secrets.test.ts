import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { secretsOf } from '../../../src/boot/secrets.ts'
import { newFolder } from '../../support/process.ts'

const credentials = { key: 'sk_test_1', webhook: null }
const newFile = () => join(newFolder(), 'made', 'secrets.key')

test('the key file is made with the first credentials, only readable by its owner, and decrypts after a restart', () => {
  const file = newFile()
  expect(secretsOf(file).open({ account: 'plain' }, 'row')).toEqual({ account: 'plain' })
  expect(existsSync(file)).toBe(false)
  const stored = secretsOf(file).seal(credentials, 'row')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect(JSON.stringify(stored)).not.toContain('sk_test')
  expect(secretsOf(file).open(stored, 'row')).toEqual(credentials)
})

test('servers that make the key at the same time use the same one', () => {
  const file = newFile()
  const [one, other] = [secretsOf(file), secretsOf(file)]
  expect(other.open(one.seal(credentials, 'row'), 'row')).toEqual(credentials)
  expect(one.open(other.seal(credentials, 'row'), 'row')).toEqual(credentials)
})

test('credentials cannot be decrypted in another row, with another key, or after a change', () => {
  const secrets = secretsOf(newFile())
  const stored = secrets.seal(credentials, 'merchant stripe') as { sealed: string; key: string }
  expect(secrets.open(stored, 'other stripe')).toBe(null)
  const bytes = Buffer.from(stored.sealed, 'base64')
  bytes[20]! ^= 1
  expect(secrets.open({ ...stored, sealed: bytes.toString('base64') }, 'merchant stripe')).toBe(null)
  expect(secrets.open({ ...stored, sealed: '' }, 'merchant stripe')).toBe(null)
  const other = secretsOf(newFile())
  expect(other.open(stored, 'merchant stripe')).toBe(null)
  other.seal(credentials, 'row')
  expect(other.open(stored, 'merchant stripe')).toBe(null)
})

test('a file without a valid key is refused, and never overwritten', () => {
  const file = join(newFolder(), 'secrets.key')
  writeFileSync(file, 'hello')
  expect(() => secretsOf(file).seal(credentials, 'row')).toThrow('64 hexadecimal digits')
  expect(readFileSync(file, 'utf8')).toBe('hello')
})

test('a new key encrypts at once, and another server and the former key can still decrypt', () => {
  const file = newFile()
  const [server, command] = [secretsOf(file), secretsOf(file)]
  const former = server.seal(credentials, 'row')
  command.addKey()
  command.addKey()
  expect(readFileSync(file, 'utf8')).toMatch(/^(?:[0-9a-f]{64}\n){2}$/)
  const renewed = command.seal(credentials, 'row')
  expect([server.open(renewed, 'row'), command.open(former, 'row')]).toEqual([credentials, credentials])
  expect((server.seal(credentials, 'row') as { key: string }).key).toBe((renewed as { key: string }).key)
  command.dropFormerKeys()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(file))).toEqual(['secrets.key'])
  expect([secretsOf(file).open(renewed, 'row'), secretsOf(file).open(former, 'row')]).toEqual([
    credentials,
    null,
  ])
})

test('a file that cannot be used as a key decrypts nothing, and stops nothing else', () => {
  const file = newFile()
  const stored = secretsOf(file).seal(credentials, 'row')
  writeFileSync(file, 'hello')
  expect(secretsOf(file).open(stored, 'row')).toBe(null)
})
