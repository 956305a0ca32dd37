import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  DEPLOYER,
  DEPLOYER_CODE,
  deployCall,
  flushCall,
  forwarderAddress,
  initCode,
  saltOf,
} from '../../src/networks/evm/forwarder/forwarder.ts'
import { type Anvil, type ContractName, startAnvil, word } from '../support/anvil.ts'

const WALLET = '0x00000000000000000000000000000000C0FFEE00'

let anvil: Anvil
const tokens = {} as Record<ContractName, string>

beforeAll(async () => {
  anvil = await startAnvil()
  const names: ContractName[] = ['TestUSD', 'TestTether', 'TestFalse', 'TestBomb', 'TestShort', 'TestPayer']
  for (const name of names) tokens[name] = await anvil.deploy(name)
})
afterAll(() => anvil.stop())

let attempts = 0

/** A forwarder without any payment. */
function forwarder(payout = WALLET) {
  attempts += 1
  const salt = saltOf(`attempt ${attempts}`)
  return { payout, salt, address: forwarderAddress(payout, salt) }
}

const deploy = ({ payout, salt }: { payout: string; salt: string }) => anvil.run(deployCall(payout, salt))

async function deployed(payout = WALLET) {
  const made = forwarder(payout)
  await deploy(made)
  return made
}

const flush = (address: string, token: string | null) => anvil.run({ to: address, data: flushCall(token) })

const code = (address: string): Promise<string> => anvil.rpc('eth_getCode', [address, 'latest'])

test('calldata that is not an address is refused, and moves nothing', async () => {
  const { address } = await deployed()
  await anvil.sendToken(tokens.TestUSD, address, 9n)
  await anvil.mine()
  const dirty = `0x${'ff'.repeat(12)}${word(tokens.TestUSD).slice(24)}`
  const wrong = [
    '0x00',
    '0x70a08231',
    `0x${word(tokens.TestUSD)}00`,
    dirty,
    `0x${word(tokens.TestUSD).slice(2)}`,
  ]
  for (const data of wrong) expect((await anvil.run({ to: address, data })).status).toBe('0x0')
  expect(await anvil.balanceOf(tokens.TestUSD, address)).toBe(9n)
})

test('a token that returns false reverts the flush, and its money stays', async () => {
  const { address } = await deployed()
  await anvil.sendToken(tokens.TestFalse, address, 5n)
  await anvil.mine()
  expect((await flush(address, tokens.TestFalse)).status).toBe('0x0')
  expect(await anvil.balanceOf(tokens.TestFalse, address)).toBe(5n)
})

test('a token that returns less than a word reverts the flush, even if all bits are set', async () => {
  const { address } = await deployed()
  expect((await flush(address, tokens.TestShort)).status).toBe('0x0')
})

test('an address without code, or with a precompiled contract, is refused as a token', async () => {
  const { address } = await deployed()
  for (const nobody of ['0x000000000000000000000000000000000000dEaD', ...precompiles()]) {
    expect((await flush(address, nobody)).status).toBe('0x0')
  }
})

const precompiles = (): string[] =>
  Array.from({ length: 10 }, (_, index) => `0x${word(BigInt(index + 1)).slice(24)}`)

test('a token that reverts, or the forwarder itself as a token, is refused', async () => {
  const { address } = await deployed()
  expect((await flush(address, tokens.TestPayer)).status).toBe('0x0')
  expect((await flush(address, address)).status).toBe('0x0')
  expect((await flush(address, DEPLOYER)).status).toBe('0x0')
})

test('if the payout wallet refuses coins, they stay at the forwarder, and tokens still move', async () => {
  const refuser = await anvil.deploy('TestRefuser')
  const { address } = await deployed(refuser)
  await anvil.sendNative(address, 5n)
  await anvil.sendToken(tokens.TestTether, address, 7n)
  await anvil.mine()
  expect((await flush(address, null)).status).toBe('0x0')
  expect(await anvil.balance(address)).toBe(5n)
  expect((await flush(address, tokens.TestTether)).status).toBe('0x1')
  expect(await anvil.balanceOf(tokens.TestTether, refuser)).toBe(7n)
})

test("a forwarder can't be deployed twice, nor for another wallet at the same address", async () => {
  const made = await deployed()
  expect((await deploy(made)).status).toBe('0x0')
  expect(forwarderAddress('0x00000000000000000000000000000000C0FFEE01', made.salt)).not.toBe(made.address)
})

test('the public deployer has the expected code', async () => {
  expect(await code(DEPLOYER)).toBe(DEPLOYER_CODE)
})

test('the deployer creates the forwarder at the computed address, with the wallet at the end of its code', async () => {
  for (const payout of [WALLET, '0xffffffffffffffffffffffffffffffffffffffff', `0x5b${'00'.repeat(18)}01`]) {
    const { address } = await deployed(payout)
    const runtime = `0x${initCode(payout).slice(2 + 15 * 2)}`
    expect(await code(address)).toBe(runtime)
    expect(runtime.endsWith(payout.slice(2).toLowerCase())).toBe(true)
  }
})

test('payments from before and after the deployment are flushed', async () => {
  const made = forwarder()
  const before = await anvil.balance(WALLET)
  const held = await anvil.balanceOf(tokens.TestTether, WALLET)
  for (const round of [1n, 2n]) {
    await anvil.sendNative(made.address, 100n * round)
    await anvil.sendToken(tokens.TestTether, made.address, 10n * round)
    await anvil.sendToken(tokens.TestUSD, made.address, round)
    await anvil.mine()
    if (round === 1n) expect((await deploy(made)).status).toBe('0x1')
    for (const token of [null, tokens.TestTether, tokens.TestUSD]) {
      expect((await flush(made.address, token)).status).toBe('0x1')
    }
  }
  expect(await anvil.balance(WALLET)).toBe(before + 300n)
  expect(await anvil.balanceOf(tokens.TestTether, WALLET)).toBe(held + 30n)
  expect(await anvil.balance(made.address)).toBe(0n)
  expect(await anvil.balanceOf(tokens.TestUSD, made.address)).toBe(0n)
})

test('a flush of an empty forwarder succeeds and moves nothing', async () => {
  const { address } = await deployed()
  const before = await anvil.balance(WALLET)
  for (const token of [null, tokens.TestUSD]) expect((await flush(address, token)).status).toBe('0x1')
  expect(await anvil.balance(WALLET)).toBe(before)
})

test('a forwarder accepts coins with the 2300 gas of a plain transfer, and with a memo', async () => {
  const { address } = await deployed()
  const stipend = await anvil.run({ to: tokens.TestPayer, data: `0x${STIPEND}${word(address)}`, value: 3n })
  expect(stipend.status).toBe('0x1')
  expect((await anvil.run({ to: address, value: 4n })).gasUsed).toBeLessThan(21_100n)
  expect((await anvil.run({ to: address, value: 5n, data: '0x68656c6c6f' })).status).toBe('0x1')
  expect(await anvil.balance(address)).toBe(12n)
})

const STIPEND = '6dd3746c'

test('coins sent with a flush are flushed too', async () => {
  const { address } = await deployed()
  const before = await anvil.balance(WALLET)
  await anvil.run({ to: address, value: 5n, data: flushCall(null) })
  expect(await anvil.balance(WALLET)).toBe(before + 5n)
})

test('a payout wallet that is a contract gets all the gas, and may trigger another flush', async () => {
  const vault = await anvil.deploy('TestVault')
  const { address } = await deployed(vault)
  await anvil.sendNative(address, 1000n)
  await anvil.mine()
  const receipt = await flush(address, null)
  expect(receipt.status).toBe('0x1')
  expect(await anvil.balance(vault)).toBe(1000n)
  expect(await anvil.rpc('eth_getStorageAt', [vault, '0x0', 'latest'])).toBe(`0x${word(2n)}`)
})

test('a megabyte of return data is not copied', async () => {
  const { address } = await deployed()
  const receipt = await flush(address, tokens.TestBomb)
  expect(receipt.status).toBe('0x1')
  expect(receipt.gasUsed).toBeLessThan(4_500_000n)
})

test('a flush of coins logs the amount', async () => {
  const { address } = await deployed()
  await anvil.sendNative(address, 77n)
  const receipt = await flush(address, null)
  const logs = await anvil.rpc<{ topics: string[]; data: string }[]>('eth_getLogs', [
    { address, blockHash: receipt.blockHash },
  ])
  expect(logs.map(({ topics, data }) => ({ topics, data }))).toEqual([{ topics: [], data: `0x${word(77n)}` }])
})

test('the measured gas of a sweep is 91k to deploy, 33k for a token, 32k for coins', async () => {
  const made = forwarder()
  await anvil.sendNative(made.address, 10n ** 15n)
  await anvil.sendToken(tokens.TestTether, made.address, 5n)
  await anvil.mine()
  expect((await deploy(made)).gasUsed).toBeLessThan(91_500n)
  expect((await flush(made.address, tokens.TestTether)).gasUsed).toBeLessThan(33_000n)
  expect((await flush(made.address, null)).gasUsed).toBeLessThan(32_000n)
})

test.each(['london', 'paris', 'osaka'])(
  'after the fork %s, the same code is at the same address',
  async hardfork => {
    await using other = await startAnvil({ hardfork, chainId: 56 })
    const { payout, salt, address } = forwarder()
    const token = await other.deploy('TestTether')
    await other.sendNative(address, 5n)
    await other.sendToken(token, address, 7n)
    await other.mine()
    await other.run(deployCall(payout, salt))
    for (const flushed of [null, token]) {
      expect((await other.run({ to: address, data: flushCall(flushed) })).status).toBe('0x1')
    }
    expect([await other.balance(WALLET), await other.balanceOf(token, WALLET)]).toEqual([5n, 7n])
  },
)
