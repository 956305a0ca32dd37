import { expect, test } from 'bun:test'
import { registry } from '../../../src/coins/registry.ts'
import { readAssetsFile } from '../../../src/networks/assets-file.ts'

const { assets } = registry
const USDC = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

const read = (...rows: unknown[]) => readAssetsFile(JSON.stringify(rows), registry)
const find = (id: string, table: readonly { id: string }[] = assets) => table.find(asset => asset.id === id)

test.each([
  ['something else than JSON', 'row'],
  ['an object', '{}'],
  ['a string', '"ethereum/usdc"'],
  ['nothing', ''],
])('a file that contains %s is refused', (_, content) => {
  expect(() => readAssetsFile(content, registry)).toThrow(/^The assets file is not valid: /)
})

const added = { id: 'ethereum/dai', network: 'evm', decimals: 18, contract: USDC }
const coin = { id: 'gnosis/xdai', network: 'evm', decimals: 18, chainId: 100 }

test.each<[object | string | null, string]>([
  ['btc', 'row 1 must be an object'],
  [null, 'row 1 must be an object'],
  [{ network: 'evm' }, 'row 1 has no id'],
  [{ id: 'Ethereum/USDC' }, 'id must be a chain, or a chain, a slash and a ticker, in lower case'],
  [{ id: 'a/b/c' }, 'id must be'],
  [{ id: 5 }, 'row 1 id must be'],
  [{ id: 'btc', symbol: 'BTC' }, 'row 1 (btc) has an unknown property "symbol"'],
  [{ id: 'btc', decimals: 37 }, 'decimals must be an integer from 0 to 36'],
  [{ id: 'btc', decimals: -1 }, 'decimals must be'],
  [{ id: 'btc', decimals: '8' }, 'decimals must be'],
  [{ id: 'btc', decimals: 1.5 }, 'decimals must be'],
  [{ id: 'btc', quoteDecimals: 9 }, 'quoteDecimals must not be above decimals'],
  [{ id: 'btc', minimum: -1 }, 'minimum must be an integer of atomic units, zero or more'],
  [{ id: 'btc', minimum: '-1' }, 'minimum must be'],
  [{ id: 'btc', minimum: 1e300 }, 'minimum must be'],
  [{ id: 'btc', confirmations: 0 }, 'confirmations must be an integer from 1'],
  [{ id: 'btc', finality: 'yes' }, 'finality must be true or false'],
  [{ id: 'btc', name: '' }, 'name must be a string of 1 to 64 characters'],
  [{ id: 'btc', ticker: ' BTC' }, 'ticker must be a string'],
  [{ id: 'btc', network: 'evm2' }, 'network must be one of evm, btc'],
  [{ id: 'btc', network: 'ltc' }, 'network must be btc, like all others on btc'],
  [{ id: 'btc', chainId: 1 }, 'must not have a chainId, which only EVM chains have'],
  [{ id: 'btc', contract: USDC }, "has a contract, but btc is the chain's own coin"],
  [
    { id: 'ltc/token', network: 'ltc', decimals: 8, contract: USDC },
    'has a contract, but there are no tokens on ltc',
  ],
  [{ id: 'ethereum/eth', contract: USDC }, "has a contract, but ethereum/eth is the chain's own coin"],
  [{ id: 'ethereum/usdc', contract: null }, 'has no contract, but ethereum/usdc is a token'],
  [{ id: 'ethereum/usdc', chainId: 31337 }, 'has another chainId, so it must have the contract there'],
  [{ id: 'ethereum/usdc', contract: USDC.replace('F', 'f') }, 'contract must be an address of its network'],
  [{ id: 'ethereum/usdc', contract: '0x123' }, 'contract must be an address'],
  [{ id: 'ethereum/usdc', contract: `0x${'0'.repeat(40)}` }, 'contract must be an address'],
  [{ id: 'trc20/usdt', contract: USDC }, 'contract must be an address'],
  [{ ...added, decimals: undefined }, 'row 1 (ethereum/dai) must have decimals'],
  [{ ...coin, network: undefined }, 'must have a network'],
  [{ ...coin, chainId: undefined }, 'must have a chainId'],
  [
    { ...added, contract: undefined },
    'ethereum/eth and ethereum/dai are both the coin of one chain: add the contract',
  ],
  [
    { ...added, contract: find('ethereum/usdt') && '0xdac17f958d2ee523a2206206994597c13d831ec7' },
    'ethereum/usdt and ethereum/dai have one contract',
  ],
])('the row %j is refused', (row, message) => {
  expect(() => read(row)).toThrow(message)
})

test('one error lists every problem of every row', () => {
  const rows = [{ id: 'btc', decimals: -1, colour: 1 }, { id: 'ltc' }, { id: 'ltc' }, { id: 'x/y' }]
  const words = (() => {
    try {
      read(...rows)
    } catch (error) {
      return (error as Error).message.split('\n')
    }
    return []
  })()
  expect(words.map(line => line.trim())).toEqual([
    ...['The assets file is not valid:', 'row 1 (btc) decimals must be an integer from 0 to 36'],
    ...['row 1 (btc) has an unknown property "colour"', 'row 3 (ltc) has the id of an earlier row'],
    ...['row 4 (x/y) must have decimals', 'row 4 (x/y) must have a network'],
  ])
})

test('an empty file changes nothing', () => {
  expect(read()).toEqual([...assets])
})

test('a token is moved to a test chain; properties that the row leaves out stay', () => {
  const table = read({
    id: 'ethereum/usdc',
    network: 'evm',
    chainId: 31337,
    contract: USDC.toLowerCase(),
    decimals: 6,
    confirmations: 2,
  })
  expect(find('ethereum/usdc', table)).toEqual({
    ...find('ethereum/usdc')!,
    chainId: 31337,
    contract: USDC,
    confirmations: 2,
    finality: false,
  } as never)
  expect(table.filter(({ id }) => id !== 'ethereum/usdc')).toEqual(
    assets.filter(({ id }) => id !== 'ethereum/usdc'),
  )
})

test('a coin is moved without a contract, and a token keeps its contract if its chain stays the same', () => {
  const table = read({ id: 'ethereum/eth', chainId: 31337 }, { id: 'ethereum/usdt', confirmations: 30 })
  expect(find('ethereum/eth', table)).toMatchObject({ chainId: 31337, contract: null, finality: true })
  expect(find('ethereum/usdt', table)).toMatchObject({
    chainId: 1,
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    confirmations: 30,
    finality: false,
  })
})

test('a row can have both finality and confirmations', () => {
  expect(find('base/usdc', read({ id: 'base/usdc', confirmations: 5, finality: true }))).toMatchObject({
    confirmations: 5,
    finality: true,
  })
})

test('a new token takes its defaults from its chain', () => {
  expect(find('ethereum/dai', read(added))).toEqual({
    id: 'ethereum/dai',
    chain: 'ethereum',
    network: 'evm',
    ticker: 'DAI',
    name: 'DAI on Ethereum',
    decimals: 18,
    quoteDecimals: 8,
    minimum: 1n,
    confirmations: 12,
    finality: true,
    chainId: 1,
    contract: USDC,
  } as never)
})

test('a new chain needs only its network, its chain id and its decimals', () => {
  expect(find('gnosis/xdai', read({ ...coin, minimum: '100000000000000000000' }))).toMatchObject({
    name: 'XDAI on gnosis',
    quoteDecimals: 8,
    minimum: 10n ** 20n,
    confirmations: 12,
    finality: false,
    chainId: 100,
    contract: null,
  })
})

test('fewer decimals lower the decimals of a quote', () => {
  expect(find('btc', read({ id: 'btc', decimals: 4 }))).toMatchObject({ decimals: 4, quoteDecimals: 4 })
})
