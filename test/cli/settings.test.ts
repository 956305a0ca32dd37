import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { gatewayKeys } from '../support/gateway-keys.ts'
import { endProcesses, newFolder, runCli } from '../support/process.ts'
import { mapConcurrently, summaryOf } from './commands.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

/** Each setting with an invalid value. */
const wrong = {
  FLORIN_PORT: '70000',
  FLORIN_SANDBOX: 'yes',
  FLORIN_ORDER_EXPIRY: 'soon',
  FLORIN_OPERATOR_SECOND_FACTOR: 'yes',
  FLORIN_PUBLIC_RATE_LIMIT: '-1',
  FLORIN_TRUSTED_PROXIES: 'proxy',
  FLORIN_CHECKOUT_URL: 'pay.shop.example',
  FLORIN_OUTBOUND_ALLOW: 'no port',
}

/** The defaults of the settings. */
const defaults: Record<string, string> = {
  FLORIN_HOST: '127.0.0.1',
  FLORIN_PORT: '3000',
  FLORIN_DATA_DIR: './data',
  FLORIN_SANDBOX: 'false',
  FLORIN_OUTBOUND_ALLOW: '',
  FLORIN_PUBLIC_RATE_LIMIT: '60',
  FLORIN_TRUSTED_PROXIES: '',
  FLORIN_ORDER_EXPIRY: '24h',
  FLORIN_KRAKEN_URL: 'https://api.kraken.com',
  FLORIN_COINGECKO_URL: 'https://api.coingecko.com/api/v3',
}

/** Further invalid values, each tested alone. */
const alone: [name: string, value: string][] = [
  ['FLORIN_PORT', 'http'],
  ['FLORIN_PORT', '3000.5'],
  ['FLORIN_PORT', '-1'],
  ['FLORIN_PUBLIC_RATE_LIMIT', 'many'],
  ['FLORIN_ORDER_EXPIRY', '24'],
  ['FLORIN_ORDER_EXPIRY', '0h'],
  ['FLORIN_ORDER_EXPIRY', '400d'],
  ['FLORIN_CHECKOUT_URL', 'ftp://pay.shop.example'],
  ['FLORIN_CHECKOUT_URL', 'https://pay.shop.example/path'],
  ['FLORIN_OUTBOUND_ALLOW', '127.0.0.1:99999'],
  ['FLORIN_TRUSTED_PROXIES', '10.0.0.1,300.0.0.1'],
  ['FLORIN_RATES', 'kraken,krakn'],
  ['FLORIN_RATES', 'binance'],
  ['FLORIN_KRAKEN_URL', 'api.kraken.com'],
  ['FLORIN_DOMAIN', 'pay.shop.example:443'],
  ['FLORIN_HTTP_PORT', '0'],
  ['FLORIN_HTTPS_PORT', '70000'],
  ['FLORIN_ACME_URL', 'http://ca.example'],
  ['FLORIN_ACME_EMAIL', 'you'],
  ['FLORIN_RELEASES_URL', 'http://releases.example'],
  ['FLORIN_UPDATE_CHECK', 'daily'],
  ['FLORIN_GREENFIELD', 'yes'],
]

interface Shown {
  name: string
  value: string
  default: string
  meaning: string
}

describe('wrong settings', () => {
  test('stop every command with one message that lists them all', async () => {
    const florin = florinHere(newFolder(), wrong)
    const lines = ['serve', 'demo', 'merchant list', 'doctor', 'config', 'config --json']
    const seen = await mapConcurrently(lines, async line => {
      const ran = await florin.run(...line.split(' '))
      const missing = Object.keys(wrong).filter(name => ran.stderr.split(name).length !== 2)
      return { line, ...summaryOf(ran), missing }
    })
    expect(seen).toEqual(
      lines.map(line => ({ line, exitCode: 1, stdout: '', isSentence: true, missing: [] })),
    )
    expect(existsSync(databaseFile(florin.dataDir))).toBe(false)
  })

  test('are each reported with their rule', async () => {
    const seen = await mapConcurrently(alone, async ([name, value]) => {
      const ran = await florinHere(newFolder(), { [name]: value }).run('config')
      return { name, value, ...summaryOf(ran), isNamed: ran.stderr.includes(`${name} `) }
    })
    expect(seen).toEqual(
      alone.map(([name, value]) => ({
        name,
        value,
        exitCode: 1,
        stdout: '',
        isSentence: true,
        isNamed: true,
      })),
    )
  })

  test('name each file that cannot be read', async () => {
    const florin = florinHere(newFolder(), { FLORIN_ASSETS_FILE: '/nowhere/assets.json' })
    const ran = await florin.run('serve')
    expect({ ...summaryOf(ran), isNamed: ran.stderr.includes('FLORIN_ASSETS_FILE') }).toEqual({
      exitCode: 1,
      stdout: '',
      isSentence: true,
      isNamed: true,
    })
  })

  test('stop the server if a gateway key cannot verify a callback', async () => {
    const folder = newFolder()
    const items = Object.entries(gatewayKeys).map(([name, pem]) => {
      const file = join(folder, `${name}.pem`)
      writeFileSync(file, pem)
      return `${name}=${file}`
    })
    const florin = florinHere(newFolder(), {
      FLORIN_GATEWAY_URL: 'http://127.0.0.1:1',
      FLORIN_GATEWAY_CHECKOUT_URL: 'http://127.0.0.1:1',
      FLORIN_GATEWAY_PUBLIC_KEYS: [...items, 'v 1=/nowhere/a.pem', 'good=/nowhere/b.pem', 'v2'].join(','),
      FLORIN_PORT: '0',
    })
    const ran = await florin.run('serve')
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    const lines = ran.stderr.trim().replaceAll(folder, '').split('\n')
    expect(lines).toEqual([
      'Invalid settings:',
      '- FLORIN_GATEWAY_PUBLIC_KEYS: /short.pem has a key of 1024 bits; at least 2048 are needed',
      '- FLORIN_GATEWAY_PUBLIC_KEYS: /private.pem contains a private key. Ask the gateway for its public key',
      '- FLORIN_GATEWAY_PUBLIC_KEYS: /elliptic.pem does not contain an RSA key',
      '- FLORIN_GATEWAY_PUBLIC_KEYS: "v 1" is not a key ID; use up to 32 letters, digits, - and _',
      '- FLORIN_GATEWAY_PUBLIC_KEYS: "good" is named twice',
      '- FLORIN_GATEWAY_PUBLIC_KEYS: v2 must have the form ID=FILE',
    ])
  })
})

describe('config', () => {
  test('shows every setting with its default, without a database', async () => {
    const { stdout, exitCode, stderr } = await runCli(['config', '--json'], {})
    expect([exitCode, stderr]).toEqual([0, ''])
    const shown: Shown[] = JSON.parse(stdout)
    for (const [name, value] of Object.entries(defaults)) {
      expect(shown.find(setting => setting.name === name)).toMatchObject({ name, value, default: value })
    }
    expect(shown.some(({ name }) => name === 'FLORIN_CHECKOUT_URL')).toBe(true)
    expect(shown.every(({ name, meaning }) => name.startsWith('FLORIN_') && meaning.length > 10)).toBe(true)
  })

  test('shows the current value, as text and as JSON', async () => {
    const florin = florinHere(newFolder(), { FLORIN_PORT: '4711', FLORIN_ORDER_EXPIRY: '2h' })
    const shown: Shown[] = await florin.json('config')
    const of = (name: string) => shown.find(setting => setting.name === name)
    expect(of('FLORIN_PORT')).toMatchObject({ value: '4711', default: '3000' })
    expect(of('FLORIN_ORDER_EXPIRY')).toMatchObject({ value: '2h', default: '24h' })
    const { stdout } = await florin.run('config')
    for (const { name, value, meaning } of shown) {
      expect(stdout).toContain(name)
      expect(stdout).toContain(value)
      expect(stdout).toContain(meaning)
    }
    expect(existsSync(databaseFile(florin.dataDir))).toBe(false)
  })

  test('shows the protocol and the host of a masked endpoint', async () => {
    const FLORIN_BITCOIN_URL = 'core+http://user:S3CRET@127.0.0.1:8332,esplora+https://a.example/S3CRET'
    const shown: Shown[] = await florinHere(newFolder(), { FLORIN_BITCOIN_URL }).json('config')
    expect(shown.find(({ name }) => name === 'FLORIN_BITCOIN_URL')?.value).toBe(
      'core+http://127.0.0.1:8332/***,esplora+https://a.example/***',
    )
  })

  test.each([
    ['FLORIN_ETHEREUM_URL', 'https://node.example/v3/S3CRET-1', 'S3CRET'],
    ['FLORIN_POLYGON_URL', 'https://a.example/S3CRET-1,https://b.example/?apikey=S3CRET-2', 'S3CRET'],
    ['FLORIN_BASE_URL', 'https://user:S3CRET@node.example/', 'S3CRET'],
    ['FLORIN_RATES', 'https://rates.example/all?apikey=S3CRET', 'S3CRET'],
    ['FLORIN_RATES', 'kraken,https://rates.example/S3CRET,file:rates.json', 'S3CRET'],
    ['FLORIN_COINGECKO_URL', 'https://pro.example/api/v3?x_cg_pro_api_key=S3CRET', 'S3CRET'],
  ])('masks the secret of %s', async (name, value, secret) => {
    const florin = florinHere(newFolder(), { [name]: value })
    const shown: Shown[] = await florin.json('config')
    expect(shown.find(setting => setting.name === name)?.value).not.toBe('')
    const { stdout } = await florin.run('config')
    expect([JSON.stringify(shown), stdout].map(text => text.includes(secret))).toEqual([false, false])
  })
})
