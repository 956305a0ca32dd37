import { describe, expect, test } from 'bun:test'
import type { Address } from '@solana/kit'
import { generateKeyPairSigner } from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  getCloseAccountInstruction,
  getInitializeAccount3Instruction,
  getTokenSize,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { WatchResult } from '../../src/networks/port.ts'
import { tokenAccountOf } from '../../src/networks/solana/token-account.ts'
import {
  ataOf,
  createAta,
  DECIMALS,
  openPool,
  pay,
  payToken,
  SOL,
  scanPayments,
  scanWatches,
  useScene,
} from './solana-scene.ts'

const ATA_RENT = 2_039_280n

const scene = useScene()

/** A wallet of the merchant, with an account of each mint. */
async function poolWallet(...mints: string[]) {
  const { solana, payer } = scene
  const wallet = await solana.wallet(SOL)
  for (const mint of mints) {
    const ata = await ataOf(wallet.address, mint)
    await solana.send(payer, [createAta(payer, wallet.address, mint, ata)])
  }
  solana.finalize()
  return wallet
}

test('token accounts have the addresses that the associated token program derives', async () => {
  for (let count = 0; count < 20; count++) {
    const [{ address: owner }, { address: mint }] = [
      await generateKeyPairSigner(),
      await generateKeyPairSigner(),
    ]
    expect(tokenAccountOf(owner, mint)).toBe(await ataOf(owner, mint))
  }
})

describe('SOL to an address made from a seed', () => {
  test('has no payment before it arrives', async () => {
    const attempt = await scene.openSol()
    expect(await scanWatches(scene.network, attempt)).toMatchObject([{ detectedPayments: [], outflows: [] }])
  })

  test('is reported from its confirmation until it is final', async () => {
    const { network, solana, payer } = scene
    const attempt = await scene.openSol()
    const signature = await solana.send(payer, [pay(payer, attempt.address, 12_345_678n)])
    const [first] = await scanWatches(network, attempt)
    expect(first!.detectedPayments).toMatchObject([
      {
        txId: signature,
        txIndex: `sol:${attempt.address}`,
        assetId: 'solana/sol',
        amountAtomic: 12_345_678n,
        confirmations: 1,
        final: false,
        txIn: signature,
      },
    ])
    expect(Math.abs(first!.detectedPayments[0]!.paidAt - Date.now())).toBeLessThan(60_000)
    const { height } = first!.detectedPayments[0]!
    solana.advance(5)
    const [second] = await scanWatches(network, attempt)
    expect(second!.detectedPayments).toMatchObject([{ confirmations: 6, final: false, height }])
    expect(second!.completeFrom).toBeLessThanOrEqual(height!)
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', 12_345_678n, true]])
    const [after] = await scanWatches(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBe(height! + 1)
  })

  test('in a block whose time the node does not know is undated, with the time of each scan', async () => {
    const { network, solana, payer, time } = scene
    const attempt = await scene.openSol()
    const { blockTime } = solana.state
    solana.state.blockTime = () => null
    await solana.send(payer, [pay(payer, attempt.address, SOL)])
    solana.state.blockTime = blockTime
    for (let look = 0; look < 2; look++) {
      time.now += 60_000
      const [{ detectedPayments }] = (await scanWatches(network, attempt)) as [WatchResult]
      expect(detectedPayments).toMatchObject([
        { amountAtomic: SOL, isUndated: true, paidAt: time.now, evidence: { blockTime: null } },
      ])
    }
    await solana.send(payer, [pay(payer, attempt.address, 2n * SOL)])
    solana.advance(1)
    const [{ detectedPayments }] = (await scanWatches(network, attempt)) as [WatchResult]
    expect(detectedPayments.map(({ isUndated = false }) => isUndated)).toEqual([true, false])
  })

  test('in several parts is reported part by part', async () => {
    const { network, solana, payer } = scene
    const attempt = await scene.openSol()
    await solana.send(payer, [pay(payer, attempt.address, SOL - 1n)])
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', SOL - 1n, true]])
    await solana.send(payer, [pay(payer, attempt.address, 1n)])
    await solana.send(payer, [pay(payer, attempt.address, 5n * SOL)])
    solana.finalize()
    const seen = await scanPayments(network, attempt)
    expect(seen).toEqual([
      ['solana/sol', 1n, true],
      ['solana/sol', 5n * SOL, true],
    ])
  })

  test('is found days later, after many scans without a payment', async () => {
    const { network, solana, payer, time } = scene
    const attempt = await scene.openSol()
    for (let scan = 0; scan < 30; scan++) {
      time.now += 3600_000
      solana.advance(9000)
      expect(await scanPayments(network, attempt)).toEqual([])
    }
    await solana.send(payer, [pay(payer, attempt.address, 7n * SOL)])
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', 7n * SOL, true]])
  })

  test('to two attempts in one transaction is a payment to each', async () => {
    const { network, solana, payer } = scene
    const [a, b] = [await scene.openSol(), await scene.openSol()]
    await solana.send(payer, [pay(payer, a!.address, SOL), pay(payer, b!.address, 2n * SOL)])
    solana.finalize()
    const results = await scanWatches(network, a!, b!)
    const detectedPayments = results.map(own => own.detectedPayments[0]!)
    expect(detectedPayments.map(({ amountAtomic }) => amountAtomic)).toEqual([SOL, 2n * SOL])
    expect(detectedPayments[0]!.txId).toBe(detectedPayments[1]!.txId)
    expect(detectedPayments[0]!.txIndex).not.toBe(detectedPayments[1]!.txIndex)
  })

  test('in two transfers of one transaction is one payment', async () => {
    const { network, solana, payer } = scene
    const attempt = await scene.openSol()
    await solana.send(payer, [pay(payer, attempt.address, SOL), pay(payer, attempt.address, SOL)])
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', 2n * SOL, true]])
  })

  test('by a transaction that fails, or below the rent, is not a payment', async () => {
    const { network, solana, payer } = scene
    const attempt = await scene.openSol()
    const poor = await solana.wallet(5n * SOL)
    await solana.send(poor, [pay(poor, attempt.address, 3n * SOL), pay(poor, attempt.address, 3n * SOL)])
    await solana.send(payer, [pay(payer, attempt.address, 1000n)]).catch(() => 'refused')
    solana.finalize()
    expect(solana.balance(attempt.address)).toBe(0n)
    expect(await scanPayments(network, attempt)).toEqual([])
  })

  test('is reported beside a token that can no longer be moved', async () => {
    const { network, solana, payer, usdc } = scene
    const attempt = await scene.openSol()
    const mint = usdc.contract!
    const ata = await ataOf(attempt.address, mint)
    await solana.send(payer, [
      createAta(payer, attempt.address, mint, ata),
      await payToken(payer, attempt.address, mint, 5n),
    ])
    await solana.send(payer, [pay(payer, attempt.address, SOL)])
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([
      ['solana/usdc', 5n, true],
      ['solana/sol', SOL, true],
    ])
  })
})

describe('a token to a wallet of the merchant', () => {
  test('is reported without the rent of the account that the payer opened for it', async () => {
    const { network, solana, payer, usdc } = scene
    const wallet = await poolWallet()
    const attempt = await openPool(network, usdc, wallet.address)
    const mint = usdc.contract!
    const before = solana.balance(payer.address)
    const signature = await solana.send(payer, [
      createAta(payer, wallet.address, mint, await ataOf(wallet.address, mint)),
      await payToken(payer, wallet.address, mint, 5_000_001n),
    ])
    expect(before - solana.balance(payer.address)).toBe(ATA_RENT + 5000n)
    solana.finalize()
    const [results] = await scanWatches(network, attempt)
    expect(results!.detectedPayments).toMatchObject([
      {
        txId: signature,
        txIndex: `${mint}:${wallet.address}`,
        assetId: 'solana/usdc',
        amountAtomic: 5_000_001n,
        final: true,
      },
    ])
    expect(results!.outflows ?? []).toEqual([])
  })

  test('to an existing account is reported each time', async () => {
    const { network, solana, payer, usdc } = scene
    const wallet = await poolWallet(usdc.contract!)
    const attempt = await openPool(network, usdc, wallet.address)
    for (const amount of [1n, 1n, 30n]) {
      await solana.send(payer, [await payToken(payer, wallet.address, usdc.contract!, amount)])
      solana.finalize()
      expect(await scanPayments(network, attempt)).toEqual([['solana/usdc', amount, true]])
    }
  })

  test('that was paid before the watch began is not counted', async () => {
    const { network, solana, payer, usdc, sol } = scene
    const wallet = await poolWallet(usdc.contract!)
    await solana.send(payer, [await payToken(payer, wallet.address, usdc.contract!, 77n)])
    await solana.send(payer, [pay(payer, wallet.address, SOL)])
    solana.advance(1)
    const token = await openPool(network, usdc, wallet.address)
    const coin = await openPool(network, sol, wallet.address)
    solana.finalize()
    expect((await scanWatches(network, token, coin)).map(({ detectedPayments }) => detectedPayments)).toEqual(
      [[], []],
    )
  })

  test('in another asset of the table or in SOL is reported; an unknown token is not', async () => {
    const { network, solana, payer, usdc, usdt, sol, fake } = scene
    const wallet = await poolWallet(usdc.contract!, usdt.contract!, fake)
    const attempt = await openPool(network, usdc, wallet.address)
    expect(await scanPayments(network, attempt)).toEqual([])
    expect(await scanPayments(network, attempt)).toEqual([])
    await solana.send(payer, [await payToken(payer, wallet.address, usdt.contract!, 8n)])
    await solana.send(payer, [await payToken(payer, wallet.address, fake, 9n)])
    await solana.send(payer, [pay(payer, wallet.address, SOL)])
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([
      ['solana/usdt', 8n, true],
      ['solana/sol', SOL, true],
    ])
    const coin = await openPool(network, sol, wallet.address)
    await solana.send(payer, [await payToken(payer, wallet.address, usdc.contract!, 8n)])
    solana.finalize()
    expect(await scanPayments(network, coin)).toEqual([['solana/usdc', 8n, true]])
  })

  test('is not reported for the dust in SOL that advertisers send', async () => {
    const { network, solana, payer, usdc } = scene
    const wallet = await poolWallet()
    const attempt = await openPool(network, usdc, wallet.address)
    await solana.send(payer, [pay(payer, wallet.address, 1n)])
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([])
  })

  test('to two wallets in one transaction is a payment to each', async () => {
    const { network, solana, payer, usdc } = scene
    const mint = usdc.contract!
    const wallets = [await poolWallet(mint), await poolWallet(mint)]
    const attempts = [
      await openPool(network, usdc, wallets[0]!.address),
      await openPool(network, usdc, wallets[1]!.address),
    ]
    await solana.send(payer, [
      await payToken(payer, wallets[0]!.address, mint, 3n),
      await payToken(payer, wallets[1]!.address, mint, 4n),
    ])
    solana.finalize()
    const [a, b] = (await scanWatches(network, ...attempts)).map(
      ({ detectedPayments }) => detectedPayments[0]!,
    )
    expect([a!.amountAtomic, b!.amountAtomic]).toEqual([3n, 4n])
    expect(`${a!.txId} ${a!.txIndex}`).not.toBe(`${b!.txId} ${b!.txIndex}`)
  })

  test('to another token account of the wallet is added to the usual one', async () => {
    const { network, solana, payer, usdc } = scene
    const mint = usdc.contract!
    const wallet = await poolWallet(mint)
    const attempt = await openPool(network, usdc, wallet.address)
    const second = await generateKeyPairSigner()
    await solana.send(
      [payer, second],
      [
        getCreateAccountInstruction({
          payer,
          newAccount: second,
          lamports: ATA_RENT,
          space: getTokenSize(),
          programAddress: TOKEN_PROGRAM_ADDRESS,
        }),
        getInitializeAccount3Instruction({
          account: second.address,
          mint: mint as Address,
          owner: wallet.address,
        }),
        await payToken(payer, wallet.address, mint, 6n, second.address),
        await payToken(payer, wallet.address, mint, 7n),
      ],
    )
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/usdc', 13n, true]])
  })

  test('moved between accounts of the owner, or rent that returns, is not a payment', async () => {
    const { network, solana, payer, usdc, sol } = scene
    const mint = usdc.contract!
    const wallet = await poolWallet(mint)
    const own = await ataOf(wallet.address, mint)
    await solana.send(payer, [await payToken(payer, wallet.address, mint, 10n)])
    solana.finalize()
    const token = await openPool(network, usdc, wallet.address)
    const coin = await openPool(network, sol, wallet.address)
    await solana.send(wallet, [
      getTransferCheckedInstruction({
        source: own,
        mint: mint as Address,
        destination: await ataOf(payer.address, mint),
        authority: wallet,
        amount: 10n,
        decimals: DECIMALS,
      }),
      getCloseAccountInstruction({ account: own, destination: wallet.address, owner: wallet }),
    ])
    solana.finalize()
    expect((await scanWatches(network, token, coin)).map(({ detectedPayments }) => detectedPayments)).toEqual(
      [[], []],
    )
  })

  test('that is moved away before the next scan is still a payment', async () => {
    const { network, solana, payer, usdc } = scene
    const mint = usdc.contract!
    const wallet = await poolWallet(mint)
    const attempt = await openPool(network, usdc, wallet.address)
    for (let scan = 0; scan < 3; scan++) expect(await scanPayments(network, attempt)).toEqual([])
    await solana.send(payer, [await payToken(payer, wallet.address, mint, 10n)])
    await solana.send(wallet, [await payToken(wallet, payer.address, mint, 10n)])
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/usdc', 10n, true]])
  })
})

test('attempts that share a wallet list it once, and each gets the payments since it began', async () => {
  const { network, solana, payer, usdc, callsOf, forget } = scene
  const mint = usdc.contract!
  const wallet = await poolWallet(mint)
  const attempts = [await openPool(network, usdc, wallet.address)]
  await solana.send(payer, [await payToken(payer, wallet.address, mint, 1n)])
  for (let count = 0; count < 9; count++) attempts.push(await openPool(network, usdc, wallet.address))
  await solana.send(payer, [await payToken(payer, wallet.address, mint, 2n)])
  solana.finalize()
  const amounts = (await scanWatches(network, ...attempts)).map(({ detectedPayments }) =>
    detectedPayments.map(({ amountAtomic }) => amountAtomic),
  )
  expect(amounts).toEqual([[1n, 2n], ...Array.from({ length: 9 }, () => [2n])])
  await scanWatches(network, ...attempts)
  forget()
  await scanWatches(network, ...attempts)
  expect(callsOf('getSignaturesForAddress')).toBe(1)
})

test('an attempt on a shared wallet does not get earlier payments, even if a node forgot them', async () => {
  const { network, solana, payer, sol, traffic } = scene
  const { address } = await solana.wallet(SOL)
  const early = await openPool(network, sol, address)
  await solana.send(payer, [pay(payer, address, SOL)])
  solana.finalize()
  const forgetful = (body: string, pass: () => Promise<Response>) =>
    body.includes('"limit":1,') ? pass().then(emptied) : pass()
  const emptied = async (response: Response) => {
    const replies = (await response.json()) as { result: unknown }[]
    return Response.json(replies.map(one => (Array.isArray(one.result) ? { ...one, result: [] } : one)))
  }
  traffic.tap = forgetful
  const late = await openPool(network, sol, address)
  traffic.tap = (_, pass) => pass()
  const results = await scanWatches(network, early, late)
  expect(results.map(({ detectedPayments }) => detectedPayments.length)).toEqual([1, 0])
})
