import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { address, createAddressWithSeed, type KeyPairSigner } from '@solana/kit'
import { getTransferSolWithSeedInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { OwnAttempt } from '../../src/domain/attempt.ts'
import type { OwnAddress, SolanaSweepCall } from '../../src/networks/port.ts'
import { addressWithSeed, seedRecipeOf } from '../../src/networks/solana/seed-address.ts'
import { runInProcess } from '../cli/in-process.ts'
import { type App, startApp } from '../support/app.ts'
import { EVM_WALLET, givenOrder, givenShop, openCrypto, type Shop } from '../support/given.ts'
import { newFolder } from '../support/process.ts'
import { openSeed, pay, SOL, scanWatches, useScene } from './solana-scene.ts'

const FEE = 5000n

const scene = useScene()

const own = (payout: string, seed: string): OwnAddress => ({
  attemptId: `attempt of ${seed}`,
  address: addressWithSeed(payout, seed),
  source: { kind: 'seed', payout, seed },
})

const swept = async (addresses: OwnAddress[], change: object = {}) => {
  const request = { addresses, chainId: null, assetId: null, isWorth: () => true, ...change }
  const { holdings, calls } = await scene.network.sweep!(request)
  return { holdings, calls: calls as SolanaSweepCall[] }
}

const fund = ({ address: to }: OwnAddress, amount: bigint) => scene.sendSol(to, amount)

describe('an address made from a seed', () => {
  test('is the one that the System program derives', async () => {
    const { address: baseAddress } = await scene.solana.wallet()
    for (const seed of ['a', 'att-000001', 'x'.repeat(32)]) {
      const expected = await createAddressWithSeed({
        baseAddress,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
        seed,
      })
      expect(addressWithSeed(baseAddress, seed)).toBe(expected)
    }
  })

  test('has a recipe; other addresses have none, and an invalid source is a bug', () => {
    const payout = scene.payer.address
    expect(seedRecipeOf(own(payout, 'a'))).toEqual({
      kind: 'seed',
      payoutAddress: payout,
      seed: 'a',
      program: SYSTEM_PROGRAM_ADDRESS,
    })
    for (const source of [{ kind: 'pool', index: 1 }, { kind: 'shared' }, { kind: 'xpub' }]) {
      expect(seedRecipeOf({ ...own(payout, 'a'), source })).toBeNull()
    }
    expect(() => seedRecipeOf({ ...own(payout, 'a'), address: payout })).toThrow(/follows from its wallet/)
    for (const source of [null, 'seed', [], { kind: 'seed' }]) {
      expect(() => seedRecipeOf({ ...own(payout, 'a'), source })).toThrow(/known form/)
    }
  })
})

describe('a sweep', () => {
  test('of empty addresses, or of addresses of other kinds, is empty', async () => {
    const merchant = await scene.solana.wallet()
    expect(await swept([])).toEqual({ holdings: [], calls: [] })
    expect(await swept([own(merchant.address, 'empty')])).toEqual({ holdings: [], calls: [] })
    const pool = { attemptId: 'a', address: scene.payer.address, source: { kind: 'pool', index: 0 } }
    expect(await swept([pool])).toEqual({ holdings: [], calls: [] })
  })

  test('moves everything to the payout wallet with its signature, and later payments too', async () => {
    const { solana } = scene
    const merchant = await solana.wallet(SOL)
    const addresses = Array.from({ length: 10 }, (_, index) => own(merchant.address, `${index}`.repeat(32)))
    for (const [index, one] of addresses.entries()) await fund(one, SOL + BigInt(index))
    const { holdings, calls } = await swept(addresses)
    expect(holdings.map(({ amount, stuckReason, isDeployed }) => [amount, stuckReason, isDeployed])).toEqual(
      addresses.map((_, index) => [SOL + BigInt(index), null, null]),
    )
    expect(calls.map(({ attemptIds, signer }) => [attemptIds.length, signer])).toEqual([
      [8, merchant.address],
      [2, merchant.address],
    ])
    for (const { transaction } of calls) await solana.signAndSend(merchant, transaction).catch(String)
    // The first transaction made a new block, so the second one is invalid and has to be built again.
    for (const { transaction } of (await swept(addresses)).calls)
      await solana.signAndSend(merchant, transaction)
    expect(solana.balance(merchant.address)).toBe(SOL + 10n * SOL + 45n - 2n * FEE)
    expect((await swept(addresses)).holdings).toEqual([])

    await fund(addresses[3]!, 890_880n)
    const late = await swept(addresses)
    expect(late.holdings).toMatchObject([{ attemptId: addresses[3]!.attemptId, amount: 890_880n }])
    await solana.signAndSend(merchant, late.calls[0]!.transaction)
    expect(solana.balance(addresses[3]!.address)).toBe(0n)
    expect(solana.balance(merchant.address)).toBe(SOL + 10n * SOL + 45n + 890_880n - 3n * FEE)
  })

  test('is read once it is final, with the money it moved and the fee of the chain', async () => {
    const { solana } = scene
    const merchant = await solana.wallet(SOL)
    const one = own(merchant.address, 'read')
    await fund(one, SOL)
    const fees = scene.network.movingFees!(null)
    const rate = await fees.rate()
    expect(fees.usualFee(rate, { addresses: 9, coins: 9, tokens: 0 })).toBe(2n * FEE)
    const { calls } = await swept([one])
    const signature = await solana.signAndSend(merchant, calls[0]!.transaction)
    expect(fees.isTransactionId(signature)).toBe(true)
    expect(await fees.readTransaction(signature)).toBeNull()
    solana.finalize()
    const read = await fees.readTransaction(signature)
    expect(read).toMatchObject({ hasFailed: false, feeAtomic: FEE })
    expect(read?.touched).toContain(one.address)
    expect(read?.moved).toEqual([{ address: one.address, assetId: 'solana/sol', amountAtomic: SOL }])
    for (const text of ['hello', one.address, `0x${'a'.repeat(64)}`])
      expect(fees.isTransactionId(text)).toBe(false)
  })

  test('cannot be signed by another wallet', async () => {
    const { solana } = scene
    const [merchant, thief] = [await solana.wallet(SOL), await solana.wallet(SOL)]
    const one = own(merchant.address, 'mine')
    await fund(one, SOL)
    const { calls } = await swept([one])
    await expect(solana.signAndSend(thief, calls[0]!.transaction)).rejects.toThrow()
    const theft = getTransferSolWithSeedInstruction({
      source: address(one.address),
      baseAccount: thief,
      destination: thief.address,
      amount: SOL,
      fromSeed: 'mine',
      fromOwner: SYSTEM_PROGRAM_ADDRESS,
    })
    await solana.send(thief, [theft])
    expect(solana.balance(one.address)).toBe(SOL)
  })

  test('has the same instructions as those of other software', async () => {
    const merchant = await scene.solana.wallet(SOL)
    const one = own(merchant.address, 'instruction')
    await fund(one, SOL)
    const [instruction] = (await swept([one])).calls[0]!.instructions
    const expected = getTransferSolWithSeedInstruction({
      source: address(one.address),
      baseAccount: merchant,
      destination: merchant.address,
      amount: SOL,
      fromSeed: 'instruction',
      fromOwner: SYSTEM_PROGRAM_ADDRESS,
    })
    expect(instruction!.program).toBe(expected.programAddress)
    expect(instruction!.content).toBe(Buffer.from(expected.data).toString('base64'))
    expect(instruction!.accounts.map(account => account.address)).toEqual(
      expected.accounts.map(account => account.address),
    )
    expect(instruction!.accounts.map(({ isSigner, isWritable }) => [isSigner, isWritable])).toEqual([
      [false, true],
      [true, false],
      [false, true],
    ])
  })

  test('skips small amounts, and assets other than the requested one', async () => {
    const merchant = await scene.solana.wallet(SOL)
    const one = own(merchant.address, 'little')
    await fund(one, 900_000n)
    expect((await swept([one], { isWorth: () => false })).holdings).toEqual([])
    expect((await swept([one], { assetId: 'solana/usdc' })).holdings).toEqual([])
    expect((await swept([one], { assetId: 'solana/sol' })).holdings.length).toBe(1)
  })

  test('reports that a payout wallet without SOL cannot pay the fee', async () => {
    const merchant = await scene.solana.wallet(0n)
    const one = own(merchant.address, 'penniless')
    await fund(one, SOL)
    const { holdings, calls } = await swept([one])
    expect(holdings.map(({ amount }) => amount)).toEqual([SOL])
    expect(holdings[0]!.stuckReason).toMatch(/holds less than 895880 lamports and cannot pay the fee/)
    expect(calls).toEqual([])
    await scene.solana.send(scene.payer, [pay(scene.payer, merchant.address, 895_880n)])
    await scene.solana.signAndSend(merchant, (await swept([one])).calls[0]!.transaction)
    expect(scene.solana.balance(merchant.address)).toBe(SOL + 890_880n)
  })

  test('reads each balance alone if a node cannot report many at once', async () => {
    const merchant = await scene.solana.wallet(SOL)
    const one = own(merchant.address, 'singly')
    await fund(one, SOL)
    const { getMultipleAccounts } = scene.solana.methods
    delete scene.solana.methods.getMultipleAccounts
    expect((await swept([one])).holdings).toMatchObject([{ amount: SOL }])
    scene.solana.methods.getMultipleAccounts = getMultipleAccounts!
  })

  test('is reported as an outflow, once it is final', async () => {
    const { solana, network, sol, payer } = scene
    const merchant = await solana.wallet(SOL)
    const attempt = await openSeed(network, sol, merchant.address)
    await solana.send(payer, [pay(payer, attempt.address, SOL)])
    solana.finalize()
    expect(await scanWatches(network, attempt)).toMatchObject([{ outflows: [] }])
    const txId = await solana.signAndSend(merchant, (await swept([attempt])).calls[0]!.transaction)
    expect(await scanWatches(network, attempt)).toMatchObject([{ outflows: [], detectedPayments: [] }])
    solana.finalize()
    const [results] = await scanWatches(network, attempt)
    expect(results!.outflows).toEqual([
      { txId, assetId: 'solana/sol', height: Number(solana.state.slot) - 33 },
    ])
    expect(await scanWatches(network, attempt)).toMatchObject([{ outflows: [] }])
  })
})

describe('florin sweep', () => {
  let app: App
  let shop: Shop
  let folder: string
  let settings: Record<string, string>
  let merchant: KeyPairSigner
  let attempt: OwnAddress & { orderId: string }

  beforeAll(async () => {
    folder = newFolder()
    writeFileSync(join(folder, 'rates.json'), JSON.stringify({ eth: { USD: '2500' }, sol: { USD: '100' } }))
    settings = {
      FLORIN_SANDBOX: 'false',
      FLORIN_SOLANA_URL: scene.solana.url,
      FLORIN_RATES: `file:${join(folder, 'rates.json')}`,
    }
    app = await startApp({ ...settings, FLORIN_SANDBOX: 'true' })
    shop = await givenShop(app)
    merchant = await scene.solana.wallet(SOL)
    const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
    await openCrypto(app, order.orderUUID, 'ethereum/eth')
    attempt = await app.context.storage.write(async tables => {
      const [opened] = await tables.attempts.listOf(order.orderUUID)
      const id = app.context.ids.uuid()
      const made = { ...own(merchant.address, 'a-seed'), attemptId: id }
      const asset = { assetId: 'solana/sol', decimals: 9, methodName: 'SOL on Solana' }
      const source = { address: made.address, addressSource: made.source, payoutAddress: merchant.address }
      await tables.attempts.insert({ ...(opened as OwnAttempt), id, ...asset, ...source })
      return { ...made, orderId: order.orderUUID as string }
    })
    await fund(attempt, 250_000_000n)
  })
  afterAll(() => app.close())

  const run = (args: string[], change: Record<string, string> = {}) =>
    runInProcess({ ...settings, ...app.forCommands, ...change }, 'sweep', '--merchant', shop.id, ...args)

  test('rejects a token and an address of Solana as the asset', async () => {
    for (const asset of ['solana/usdc', `solana/${EVM_WALLET}`, 'solana/nonsense', 'solana']) {
      const { exitCode, stderr } = await run(['--asset', asset])
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/asset: must be an asset of an EVM chain, .*or solana.sol/)
    }
  })

  test('fails without an endpoint, with an unreachable one, and in the sandbox', async () => {
    const problems: [Record<string, string>, RegExp][] = [
      [{ FLORIN_SOLANA_URL: '' }, /No endpoint of an EVM chain or Solana is configured/],
      [{ FLORIN_SOLANA_URL: 'http://127.0.0.1:9' }, /cannot be reached/],
      [{ FLORIN_SANDBOX: 'true' }, /sandbox simulates/],
    ]
    for (const [change, words] of problems) {
      const { exitCode, stderr } = await run([], change)
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(words)
    }
  })

  test('exports the seed, and a command that works without Florin', async () => {
    const { stdout, exitCode } = await run(['--export', '--json'], { FLORIN_SOLANA_URL: '' })
    expect(exitCode).toBe(0)
    const [one, ...more] = JSON.parse(stdout)
    expect(more).toEqual([])
    expect(one).toMatchObject({
      kind: 'seed',
      attemptId: attempt.attemptId,
      orderUUID: attempt.orderId,
      assetId: 'solana/sol',
      address: attempt.address,
      payoutWallet: merchant.address,
      seed: 'a-seed',
      program: SYSTEM_PROGRAM_ADDRESS,
    })
    expect(one.command).toBe(
      `solana transfer ${merchant.address} ALL --from KEYPAIR --fee-payer KEYPAIR ` +
        '--derived-address-seed a-seed --derived-address-program-id SYSTEM',
    )
    const people = (await run(['--export'])).stdout
    for (const words of [one.command, 'a-seed', attempt.address, merchant.address]) {
      expect(people).toContain(words)
    }
  })

  test('prints the holdings and the transactions to sign', async () => {
    const { stdout, exitCode } = await run([])
    expect(exitCode).toBe(0)
    for (const words of [
      'solana/sol',
      '0.25',
      attempt.address,
      attempt.orderId,
      'Sign these transactions with the payout',
    ]) {
      expect(stdout).toContain(words)
    }
    expect((await run(['--min', '0.26'])).stdout).toMatch(/Nothing to sweep on 1 address[.]/)
  })

  test('prints transactions that move the whole balance', async () => {
    const answer = await run(['--asset', 'solana/sol', '--json'])
    const { holdings, transactions, addresses } = JSON.parse(answer.stdout)
    expect(addresses).toBe(1)
    expect(holdings).toMatchObject([
      { address: attempt.address, amount: '0.25', deployed: null, fault: null },
    ])
    expect(transactions).toMatchObject([{ kind: 'solana', signer: merchant.address, assetId: 'solana/sol' }])
    await scene.solana.signAndSend(merchant, transactions[0].transaction)
    expect(scene.solana.balance(merchant.address)).toBe(SOL + 250_000_000n - FEE)
    expect((await run([])).stdout).toMatch(/Nothing to sweep/)
  })
})
