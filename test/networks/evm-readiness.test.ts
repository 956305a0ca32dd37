import { expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import {
  DEPLOYER,
  forwarderAddress,
  initCodeHash,
  saltOf,
} from '../../src/networks/evm/forwarder/forwarder.ts'
import { forwarderOf } from '../../src/networks/evm/forwarder/source.ts'
import { startAnvil } from '../support/anvil.ts'
import { heightOf, openAttempt, PAYOUT, useScene } from './evm-scene.ts'

const scene = useScene()

const networkOf = (assets: Asset[], clock = () => 0) => scene.networkOf({ assets, clock })

test('an asset is not offered if the endpoint serves another chain id', async () => {
  const elsewhere = { ...scene.usd, chainId: 137 }
  expect(await networkOf([elsewhere]).unavailableReason(elsewhere)).toMatch(
    /serves chain 31337, but testnet is chain 137/,
  )
})

test('an asset that the chain does not list is not offered', async () => {
  expect(await networkOf([scene.coin]).unavailableReason(scene.usd)).toBe(
    'testnet/usdc is not an asset of testnet',
  )
})

test('a token whose contract is missing or has other decimals is not offered', async () => {
  const missing = { ...scene.usd, contract: PAYOUT }
  expect(await networkOf([missing]).unavailableReason(missing)).toMatch(/There is no contract at 0x0{24}/i)
  const scaled = { ...scene.usd, decimals: 18 }
  expect(await networkOf([scaled]).unavailableReason(scaled)).toMatch(/has 6 decimals; the table says 18/)
  const mute = { ...scene.usd, contract: scene.tokens.TestPayer }
  expect(await networkOf([mute]).unavailableReason(mute)).toMatch(/does not report its decimals/)
})

test('nothing is offered if the deployer is missing or has other code', async () => {
  const { anvil, coin } = scene
  const code = await anvil.rpc('eth_getCode', [DEPLOYER, 'latest'])
  let now = 0
  const network = networkOf([coin], () => now)
  for (const wrong of ['0x', '0x60006000f3']) {
    await anvil.rpc('anvil_setCode', [DEPLOYER, wrong])
    now += 60_000
    expect(await network.unavailableReason(coin)).toMatch(
      /The deployment proxy 0x4e59b4.* is not on chain 31337/,
    )
  }
  await anvil.rpc('anvil_setCode', [DEPLOYER, code])
  expect(await network.unavailableReason(coin)).not.toBeNull()
  now += 60_000
  expect(await network.unavailableReason(coin)).toBeNull()
})

test('a token is checked once, and the endpoint every half minute', async () => {
  const { network, traffic, coin, usd, tether } = scene
  for (const asset of [coin, usd, tether]) expect(await network.unavailableReason(asset)).toBeNull()
  traffic.requests = 0
  for (const asset of [coin, usd, tether]) expect(await network.unavailableReason(asset)).toBeNull()
  expect(traffic.requests).toBe(0)
})

test('a chain that stops answering is no longer offered', async () => {
  const { coin } = scene
  let now = 0
  let isDown = false
  const network = networkOf([coin], () => now)
  scene.traffic.tap = (_, pass) => (isDown ? Promise.reject(new TypeError('refused')) : pass())
  expect(await network.unavailableReason(coin)).toBeNull()
  isDown = true
  now += 60_000
  expect(await network.unavailableReason(coin)).toMatch(/cannot be reached/)
})

const HOUR_MS = 3_600_000

test.each([
  ['of the table', 137, 'local'],
  ['that an operator added', 43114, 'remote'],
] as const)('a chain %s whose newest block is old is reported unavailable', async (_, chainId, location) => {
  await using anvil = await startAnvil({ chainId })
  const coin = { ...scene.coin, chainId }
  let now = Date.now()
  const network = scene.networkOf({
    assets: [coin],
    endpoints: [location === 'local' ? anvil.url : 'https://node.example/'],
    fetch: (_url, init) => fetch(anvil.url, init),
    clock: () => now,
  })
  const attempt = await openAttempt(network, coin)
  expect(await network.scan([attempt])).toHaveLength(1)
  now += HOUR_MS
  await expect(network.scan([attempt])).rejects.toThrow(/has not advanced past block/)
})

test('a node that is still catching up opens no payment, because other nodes could not have its blocks', async () => {
  await using anvil = await startAnvil({ chainId: 137 })
  await anvil.rpc('anvil_mine', ['0x4b0', '0x2'])
  const coin = { ...scene.coin, chainId: 137 }
  const network = scene.networkOf({
    assets: [coin],
    endpoints: ['https://late.example/', 'https://good.example/'],
    fetch(url, init) {
      const body = String(init?.body)
      const sent = url.includes('late') ? body.replace('"latest"', '"0x1"') : body
      return fetch(anvil.url, { ...init, body: sent })
    },
    clock: () => Date.now() + HOUR_MS / 4,
  })
  const attempt = await openAttempt(network, coin)
  await anvil.run({ to: attempt.address, value: 5n })
  const [result] = await network.scan([attempt])
  expect(result!.detectedPayments.map(({ amountAtomic }) => amountAtomic)).toEqual([5n])
})

test('a private chain on this machine may pause', async () => {
  const { coin } = scene
  let now = Date.now()
  const network = networkOf([coin], () => now)
  const attempt = await openAttempt(network, coin)
  now += HOUR_MS
  expect(await network.scan([attempt])).toHaveLength(1)
})

test('assets with two chain ids under one name are each watched on their own chain', async () => {
  await using other = await startAnvil({ chainId: 1337 })
  const far = { ...scene.coin, id: 'testnet/far', chainId: 1337 }
  const network = scene.networkOf({ assets: [scene.usd, far], endpoints: [scene.anvil.url, other.url] })
  const attempts = [await openAttempt(network, scene.usd), await openAttempt(network, far)]
  await scene.anvil.run({ to: attempts[1]!.address, value: 5n })
  await other.run({ to: attempts[1]!.address, value: 6n })
  const watched = await network.scan(attempts)
  const amounts = watched.map(own => own.detectedPayments.map(({ amountAtomic }) => amountAtomic))
  expect(amounts).toEqual([[], [6n]])
})

test('the source of a forwarder has everything that is needed to recover its money', async () => {
  const { network, usd, anvil } = scene
  const opened = forwarderOf('again', PAYOUT)
  const salt = saltOf('again')
  expect(opened.source).toEqual({
    kind: 'create2',
    deployer: DEPLOYER,
    salt,
    payout: PAYOUT,
    initCodeHash: initCodeHash(PAYOUT),
    forwarder: 1,
  })
  expect(opened.address).toBe(forwarderAddress(PAYOUT, salt))
  await anvil.mine(3)
  expect(forwarderOf('again', PAYOUT).address).toBe(opened.address)
  const attempt = await openAttempt(network, usd)
  expect(attempt.address).not.toBe(opened.address)
  expect(heightOf(attempt)).toBe((await anvil.head()) - 2)
})
