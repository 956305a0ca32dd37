import { describe, expect, test } from 'bun:test'
import type { Json } from '../../src/domain/metadata.ts'
import { NetworkError } from '../../src/networks/port.ts'
import {
  type Attempt,
  answering,
  ataOf,
  createAta,
  honest,
  openPool,
  payToken,
  SOL,
  scanPayments,
  scanWatches,
  useScene,
} from './solana-scene.ts'

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const TESTNET = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const FAR = 'https://solana.example/a-secret-key?token=another-secret'

const scene = useScene()

async function paid(amount = SOL): Promise<Attempt> {
  const attempt = await scene.openSol()
  await scene.sendSol(attempt.address, amount)
  scene.solana.finalize()
  return attempt
}

const far = (url = FAR) => scene.watcher({ endpoints: [{ protocol: 'jsonrpc', url }] })
const unavailableReason = (network = scene.network, asset = scene.sol) => network.unavailableReason(asset)

describe('the chain of an endpoint is checked', () => {
  const genesis = (hash: string) => answering('getGenesisHash', () => ({ result: hash }))

  test('by its genesis: a private chain is accepted on this machine only', async () => {
    expect(await unavailableReason(far())).toMatch(/solana.example serves the chain of genesis .*not solana/)
    expect(await unavailableReason(scene.watcher())).toBeNull()
  })

  test('without a genesis: the endpoint is accepted on this machine only', async () => {
    scene.traffic.tap = answering('getGenesisHash', () => ({ error: { code: -32601, message: 'unknown' } }))
    expect(await unavailableReason(far())).toMatch(/does not report its genesis/)
    expect(await unavailableReason(scene.watcher())).toBeNull()
  })

  test('the mainnet is accepted anywhere, test networks and other chains nowhere', async () => {
    scene.traffic.tap = genesis(MAINNET)
    expect(await unavailableReason(far())).toBeNull()
    expect(await unavailableReason(scene.watcher())).toBeNull()
    for (const hash of [DEVNET, TESTNET, 'EAQLJCV2mh23BsK2P9oYpV5CHVLDNHTxYss3URrNmg3s']) {
      scene.traffic.tap = genesis(hash)
      for (const network of [far(), scene.watcher()]) {
        expect(await unavailableReason(network)).toMatch(
          /serves (the (dev|test)net of Solana|Eclipse), not solana/,
        )
      }
    }
  })

  test('without secrets in the error', async () => {
    expect(await unavailableReason(far())).not.toMatch(/secret/)
    scene.traffic.tap = answering('getGenesisHash', () => ({ error: { code: 1, message: `no: ${FAR}` } }))
    expect(await unavailableReason(far())).not.toMatch(/secret/)
  })
})

describe('an asset is not offered', () => {
  const mint = (change: (account: { [key: string]: Json }) => void) =>
    answering('getAccountInfo', ({ result }) => {
      change((result as { value: { [key: string]: Json } }).value)
      return { result }
    })

  test('where its mint does not exist, belongs to another program, or has other decimals', async () => {
    const { usdc } = scene
    const of = (change: Partial<typeof usdc>) => {
      const asset = { ...usdc, ...change }
      return scene.watcher({ assets: [asset] }).unavailableReason(asset)
    }
    expect(await of({})).toBeNull()
    expect(await of({ decimals: 9 })).toMatch(/has 6 decimals; the table says 9/)
    expect(await of({ contract: scene.merchant.address })).toMatch(/no mint of the token program/)
    expect(await of({ contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' })).toMatch(/no mint/)
    scene.traffic.tap = mint(account => {
      account.owner = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
    })
    expect(await of({})).toMatch(/no mint of the token program/)
  })

  test('where it is not in the table, and where no endpoint can be reached', async () => {
    expect(await scene.network.unavailableReason({ ...scene.sol, id: 'solana/other' })).toMatch(
      /not an asset of solana/,
    )
    scene.traffic.tap = () => Promise.reject(new TypeError('refused'))
    expect(await scene.watcher().unavailableReason(scene.sol)).toMatch(/no usable endpoint/)
  })

  test('and a successful check of an asset is remembered for a while', async () => {
    const network = scene.watcher()
    expect(await network.unavailableReason(scene.usdc)).toBeNull()
    scene.forget()
    expect(await network.unavailableReason(scene.usdc)).toBeNull()
    expect(scene.traffic.requests).toBe(0)
  })
})

test('an address that is a token account or a program is refused', async () => {
  const { network, usdc, payer } = scene
  const ata = await ataOf(payer.address, usdc.contract!)
  for (const address of [ata, usdc.contract!, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA']) {
    expect(openPool(network, usdc, address)).rejects.toThrow(/is not a wallet/)
  }
})

describe('an unreliable node is an error, not an unpaid address', () => {
  const expectError = async (words: RegExp, attempt: Attempt) => {
    const scanned = scene.watcher().scan([attempt])
    await expect(scanned).rejects.toThrow(words)
    await expect(scanned).rejects.toBeInstanceOf(NetworkError)
  }

  test('when it is not healthy', async () => {
    const attempt = await scene.openSol()
    scene.solana.state.health = 'Node is behind by 42 slots'
    const words = /not healthy: "Node is behind by 42 slots"/
    await expectError(words, attempt)
    await expect(scene.openSol()).rejects.toThrow(words)
  })

  test('when it is behind an earlier slot', async () => {
    const attempt = await scene.openSol()
    scene.solana.advance(100)
    await scanWatches(scene.network, attempt)
    scene.traffic.tap = answering('getSlot', ({ result }) => ({ result: (result as number) - 50 }))
    await expectError(/is behind: at slot/, attempt)
  })

  test('when another node of the same endpoint has not reached a payment that was reported', async () => {
    const attempt = await scene.openSol()
    await scene.sendSol(attempt.address)
    expect(await scanPayments(scene.network, attempt)).toEqual([['solana/sol', SOL, false]])
    scene.solana.state.slot -= 1n
    await expectError(/Minimum context slot not reached/, attempt)
    scene.solana.state.slot += 1n
  })

  test('but not when it is a few slots behind another', async () => {
    const attempt = await scene.openSol()
    scene.solana.advance(100)
    await scanWatches(scene.network, attempt)
    scene.traffic.tap = answering('getSlot', ({ result }) => ({ result: (result as number) - 5 }))
    expect(await scanPayments(scene.network, attempt)).toEqual([])
  })

  test('when it lists a payment but does not return it, or returns another', async () => {
    const attempt = await paid()
    scene.traffic.tap = answering('getTransaction', () => ({ result: null }))
    await expectError(/lists a transaction but does not return it/, attempt)
    const other = scene.solana.recorded()[0]!
    scene.traffic.tap = answering('getTransaction', ({ result }) => {
      const { transaction } = result as { transaction: { signatures: string[] } }
      transaction.signatures = [other]
      return { result }
    })
    await expectError(/expected the requested transaction/, attempt)
  })

  const malformed: [string, string, (result: Json) => Json][] = [
    ['a negative slot', 'getSlot', () => -1],
    ['a slot that is a string', 'getSlot', () => 'many'],
    ['signatures that are not a list', 'getSignaturesForAddress', () => ({})],
    ['an invalid signature', 'getSignaturesForAddress', () => [{ signature: 'x', slot: 1 }]],
    ['a signature without a slot', 'getSignaturesForAddress', list => [{ ...first(list), slot: null }]],
    ['the oldest first', 'getSignaturesForAddress', list => [{ ...first(list), slot: 1 }, first(list)]],
    ['a transaction without a result', 'getTransaction', tx => ({ ...(tx as object), meta: null })],
    ['a transaction of another slot', 'getTransaction', tx => ({ ...(tx as object), slot: 5 })],
    ['balances of other accounts', 'getTransaction', meta(() => ({ preBalances: [] }))],
    ['balances that are strings', 'getTransaction', meta(() => ({ postBalances: ['1', '2', '3'] }))],
    ['negative balances', 'getTransaction', meta(() => ({ preBalances: [-1, -1, -1] }))],
    [
      'token balances of an unknown account',
      'getTransaction',
      meta(() => ({ postTokenBalances: [token(99, '5')] })),
    ],
    ['half a token', 'getTransaction', meta(() => ({ postTokenBalances: [token(0, '0.5')] }))],
    [
      'more tokens than possible',
      'getTransaction',
      meta(() => ({ postTokenBalances: [token(0, '9'.repeat(20))] })),
    ],
    ['accounts that are not a list', 'getMultipleAccounts', () => ({ value: null })],
    ['too few accounts', 'getMultipleAccounts', () => ({ value: [] })],
  ]
  function first(list: Json): { [key: string]: Json } {
    return (list as { [key: string]: Json }[])[0]!
  }
  function meta(change: () => { [key: string]: Json }) {
    return (tx: Json): Json => {
      const { meta: own, ...rest } = tx as { [key: string]: { [key: string]: Json } }
      return { ...rest, meta: { ...own, ...change() } }
    }
  }
  function token(accountIndex: number, amount: string): Json {
    return {
      accountIndex,
      mint: scene.usdc.contract,
      owner: scene.merchant.address,
      uiTokenAmount: { amount },
    }
  }

  test.each(malformed)('when it reports %s', async (_, method, change) => {
    const attempt = await paid()
    scene.traffic.tap = answering(method, ({ result }) => ({ result: change(result) }))
    await expectError(/malformed response|two slots/, attempt)
    scene.traffic.tap = honest
    expect(await scanPayments(scene.network, attempt)).toEqual([['solana/sol', SOL, true]])
  })

  test('when it answers without JSON, with an error status, or not at all', async () => {
    const attempt = await scene.openSol()
    for (const answer of [new Response('sorry'), new Response('', { status: 503 }), Response.json([])]) {
      scene.traffic.tap = async () => answer.clone()
      await expectError(/invalid JSON-RPC/, attempt)
    }
    scene.traffic.tap = async () => new Response('<html>')
    await expectError(/a web page, not data/, attempt)
    scene.traffic.tap = () => Promise.reject(new TypeError('refused'))
    await expectError(/cannot be reached/, attempt)
  })

  test('when a stored cursor is invalid', async () => {
    const attempt = await scene.openSol()
    await expect(scene.network.scan([{ ...attempt, cursor: { height: 5 } }])).rejects.toThrow(
      /saved position/,
    )
  })
})

test('token balances of another program, or without an owner, are not a payment', async () => {
  const { network, usdc, solana } = scene
  const wallet = await solana.wallet()
  const attempt = await openPool(network, usdc, wallet.address)
  await scene.sendSol(wallet.address, 1n)
  solana.finalize()
  const own = { accountIndex: 0, mint: usdc.contract, uiTokenAmount: { amount: '5', decimals: 6 } }
  const foreign = { owner: wallet.address, programId: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' }
  scene.traffic.tap = answering('getTransaction', ({ result }) => {
    const changed = result as { meta: { [key: string]: Json } }
    changed.meta.postTokenBalances = [{ ...own, ...foreign }, own]
    return { result }
  })
  expect(await scanPayments(network, attempt)).toEqual([])
})

test('a failed transaction is not a payment, even if the list does not say that it failed', async () => {
  const attempt = await paid()
  scene.traffic.tap = answering('getTransaction', ({ result }) => {
    ;(result as { meta: { [key: string]: Json } }).meta.err = { InstructionError: [0, { Custom: 1 }] }
    return { result }
  })
  expect(await scanPayments(scene.network, attempt)).toEqual([])
})

test('a transaction of an unsupported version is read again later, and hides no other', async () => {
  const { network, solana } = scene
  const attempt = await paid()
  const unknown = solana.recorded().at(-1)!
  await scene.sendSol(attempt.address, 2n * SOL)
  solana.finalize()
  scene.traffic.tap = answering('getTransaction', (_, [signature]) =>
    signature === unknown ? { error: { code: -32015, message: 'Transaction version (1) …' } } : undefined,
  )
  expect(await scanPayments(network, attempt)).toEqual([['solana/sol', 2n * SOL, true]])
  scene.traffic.tap = honest
  expect(await scanPayments(network, attempt)).toEqual([
    ['solana/sol', SOL, true],
    ['solana/sol', 2n * SOL, true],
  ])
})

test('a payment that cannot be read yet is not skipped because of another in its slot', async () => {
  const { network, solana, payer, usdc } = scene
  const mint = usdc.contract!
  const wallet = await solana.wallet()
  const ata = await ataOf(wallet.address, mint)
  await solana.send(payer, [createAta(payer, wallet.address, mint, ata)])
  const attempt = await openPool(network, usdc, wallet.address)
  const first = await solana.send(payer, [await payToken(payer, wallet.address, mint, 3n)], 0n)
  await solana.send(payer, [
    createAta(payer, wallet.address, mint, ata),
    await payToken(payer, wallet.address, mint, 4n),
  ])
  solana.finalize()
  scene.traffic.tap = answering('getTransaction', (_, [signature]) =>
    signature === first ? { error: { code: -32015, message: 'Transaction version (1) …' } } : undefined,
  )
  expect(await scanPayments(network, attempt)).toEqual([['solana/usdc', 4n, true]])
  scene.traffic.tap = honest
  expect(await scanPayments(network, attempt)).toContainEqual(['solana/usdc', 3n, true])
})

test('a wallet with more SOL than a safe integer does not stop the scans of others', async () => {
  const attempts = [await paid(), await paid(2n * SOL)]
  scene.traffic.tap = answering('getTransaction', ({ result }) => {
    const { meta, transaction } = result as { [key: string]: { [key: string]: Json } }
    const keys = (transaction!.message as { accountKeys: { pubkey: string }[] }).accountKeys
    const place = keys.findIndex(({ pubkey }) => pubkey === attempts[0]!.address)
    if (place >= 0) (meta!.postBalances as number[])[place] = 2 ** 60
    return { result }
  })
  const results = await scanWatches(scene.network, ...attempts)
  expect(
    results.map(({ detectedPayments }) => detectedPayments.map(({ amountAtomic }) => amountAtomic)),
  ).toEqual([[], [2n * SOL]])
})

describe('of several endpoints', () => {
  const two = (urls = ['https://a.example/', 'https://b.example/']) => {
    const endpoints = urls.map(url => ({ protocol: 'jsonrpc', url }))
    return scene.watcher({ endpoints })
  }
  const mainnet = answering('getGenesisHash', () => ({ result: MAINNET }))
  const blind = answering('getSignaturesForAddress', () => ({ result: [] }))

  test('the next one is used when one is down, and an error is reported when all are down', async () => {
    const network = two()
    scene.traffic.tap = (body, pass, url) =>
      url.includes('a.example') ? Promise.reject(new TypeError('refused')) : mainnet(body, pass)
    expect(await scanPayments(network, await paid())).toEqual([['solana/sol', SOL, true]])
    scene.traffic.tap = () => Promise.reject(new TypeError('refused'))
    await expect(network.scan([await paid().catch(() => seedOf())])).rejects.toThrow(
      /a.example cannot be reached; b.example|b.example cannot be reached; a.example/,
    )
  })
  const seedOf = () => {
    scene.traffic.tap = honest
    return scene.openSol().finally(() => {
      scene.traffic.tap = () => Promise.reject(new TypeError('refused'))
    })
  }

  test('an endpoint that is listed twice counts once', async () => {
    scene.traffic.tap = mainnet
    const attempt = { ...(await paid()), requiredEndpoints: 2 }
    const same = two(['https://a.example/', 'https://a.example/'])
    expect(await scanPayments(same, attempt)).toEqual([['solana/sol', SOL, false]])
  })

  test('a payment that only one of two required endpoints reports is not final', async () => {
    const network = two()
    scene.traffic.tap = (body, pass, url) =>
      mainnet(body, url.includes('b.example') ? () => blind(body, pass) : pass)
    const attempt = { ...(await paid()), requiredEndpoints: 2 }
    for (let scan = 0; scan < 2; scan++) {
      expect(await scanPayments(network, attempt)).toEqual([['solana/sol', SOL, false]])
    }
    scene.traffic.tap = mainnet
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', SOL, true]])
    expect(await scanPayments(network, attempt)).toEqual([])
  })
})
