import { expect, test } from 'bun:test'
import { START } from '../support/app.ts'
import {
  BTC_WALLET,
  EVM_WALLET,
  givenMerchant,
  givenOrder,
  OTHER_EVM_WALLET,
  openCrypto,
  orderBody,
} from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { walletProblems } from './expected-shapes.ts'
import { wallets } from './payments.ts'
import { data, MARKER, refused } from './request.ts'

const { app, once, each } = suite()
once(() => app.jobs.settle())
const shop = each(() => givenMerchant(app))

const put = async (body: object) => {
  const wallet = await data(app, 'PUT', '/v1/wallet', { key: shop.live, body })
  expect(walletProblems(wallet)).toEqual([])
  expect(await data(app, 'GET', '/v1/wallet', { key: shop.live })).toEqual(wallet)
  return wallet
}

type Network = keyof typeof wallets
const networks = Object.keys(wallets) as Network[]

const wrongBodies: [title: string, body: unknown, path?: string][] = [
  ['nothing', ''],
  ['no property', {}],
  ['a list', []],
  ['null', 'null'],
  ['an unknown property', { payoutWallet: EVM_WALLET, walletType: MARKER }],
  ['an unknown network', { cryptoWallets: { eth: EVM_WALLET } }, 'cryptoWallets'],
  ['a payout wallet that is null', { payoutWallet: null }, 'payoutWallet'],
  ['a payout wallet that is empty', { payoutWallet: '' }, 'payoutWallet'],
  ['a payout wallet that is too short', { payoutWallet: EVM_WALLET.slice(0, -1) }, 'payoutWallet'],
  ['a payout wallet that is too long', { payoutWallet: `${EVM_WALLET}1` }, 'payoutWallet'],
  ['a payout wallet with a line break', { payoutWallet: `${EVM_WALLET}\n` }, 'payoutWallet'],
  ['a payout wallet that is a word', { payoutWallet: MARKER }, 'payoutWallet'],
  ['a payout wallet of another network', { payoutWallet: BTC_WALLET }, 'payoutWallet'],
  ['a payout wallet with a wrong checksum', { payoutWallet: checksumBroken(wallets.evm) }, 'payoutWallet'],
  ['two different EVM wallets', { payoutWallet: EVM_WALLET, cryptoWallets: { evm: OTHER_EVM_WALLET } }],
  ['an EVM wallet both set and removed', { payoutWallet: EVM_WALLET, cryptoWallets: { evm: '' } }],
  ['wallets that are null', { cryptoWallets: null }, 'cryptoWallets'],
  ['wallets that are a list', { cryptoWallets: [EVM_WALLET] }, 'cryptoWallets'],
  ['wallets that are a string', { cryptoWallets: MARKER }, 'cryptoWallets'],
  ['a wallet that is null', { cryptoWallets: { btc: null } }, 'cryptoWallets'],
  ['a wallet that is a number', { cryptoWallets: { btc: 5 } }, 'cryptoWallets'],
  ['overrides that are a string', { orderWalletOverrideEnabled: 'true' }, 'orderWalletOverrideEnabled'],
  ['overrides that are a number', { orderWalletOverrideEnabled: 1 }, 'orderWalletOverrideEnabled'],
  ['overrides that are null', { orderWalletOverrideEnabled: null }, 'orderWalletOverrideEnabled'],
  ['crypto that is a string', { includeCrypto: 'false' }, 'includeCrypto'],
  ['crypto that is null', { includeCrypto: null }, 'includeCrypto'],
  ['one good and one bad wallet', { cryptoWallets: { btc: BTC_WALLET, ltc: MARKER } }, 'ltc'],
]

function checksumBroken(address: string): string {
  return address.replace('aAeb', 'AAeb')
}

test.each(wrongBodies.map(([title, body, path]) => [title, body, path ?? ''] as const))(
  'a wallet of %s is refused',
  async (_, body, path) => {
    await put({ payoutWallet: OTHER_EVM_WALLET })
    const refusal = { status: 400, code: 'validation_error', path }
    await refused(app, refusal, 'PUT', '/v1/wallet', { key: shop.live, body })
  },
)

/** Strings that look like an address of a network but are invalid. */
const wrongAddresses: [network: Network, title: string, address: string][] = [
  ['evm', 'the zero address', `0x${'0'.repeat(40)}`],
  ['evm', 'without its prefix', wallets.evm.slice(2)],
  ['btc', 'of a test chain', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'],
  ['btc', 'with a typing error', wallets.btc.replace('8te', '9te')],
  ['bitcoincash', 'of a test chain', 'bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t'],
  ['ltc', 'of a test chain', 'tltc1qu78xur5xnq6fjy83amy0qcjfau8m367defyhms'],
  ['doge', 'with a typing error', 'DPpJVPpvPNP6i6tMj4rTycAGh8wReTqaSV'],
  ['solana', 'of 31 bytes', '1'.repeat(31)],
  ['trc20', 'hexadecimal', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  ['zec', 'with a typing error', 't1U9yhDa5XEjgfnTgZoKddeSiEN1aoLkQxR'],
  ['xmr', 'cut short', wallets.xmr.slice(0, -1)],
]

test.each(wrongAddresses)('a wallet for %s that is %s is refused', async (network, _, address) => {
  const body = { cryptoWallets: { [network]: address } }
  const refusal = { status: 400, code: 'validation_error', path: network }
  await refused(app, refusal, 'PUT', '/v1/wallet', { key: shop.live, body })
})

/** Valid addresses that no merchant can spend from. */
const unspendable: [network: Network, title: string, address: string, reason: RegExp][] = [
  ['evm', 'a precompile', `0x${'0'.repeat(39)}1`, /reserved by the network/],
  ['evm', 'a system contract', `0x${'0'.repeat(36)}1010`, /reserved by the network/],
  ['evm', 'a contract of OP Stack chains', `0x42${'0'.repeat(37)}6`, /reserved by the network/],
  ['evm', 'the usual dead address', '0x000000000000000000000000000000000000dEaD', /without an owner/],
  ['evm', 'another dead address', '0xdead000000000000000042069420694206942069', /without an owner/],
  ['evm', 'the sign of a native coin', `0x${'e'.repeat(40)}`, /without an owner/],
  ['evm', 'the CREATE2 deployer', '0x4e59b44847b379578588920cA78FbF26c0B4956C', /public contract/],
  ['evm', 'wrapped ETH', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', /public contract/],
  ['evm', 'the contract of USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7', /contract of a token/],
  ['solana', 'the wrapped-SOL mint', 'So11111111111111111111111111111111111111112', /reserved by the/],
  ['solana', 'the Token program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', /public program/],
  ['solana', 'the token accounts program', 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', /public program/],
  ['solana', 'the incinerator', '1nc1nerator11111111111111111111111111111111', /reserved by the/],
  ['solana', 'the mint of USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', /contract of a token/],
  ['trc20', 'the black hole', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', /without an owner/],
  ['trc20', 'the contract of USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', /contract of a token/],
  ['btc', 'the eater', '1BitcoinEaterAddressDontSendf59kuE', /without an owner/],
  ['btc', 'a hash of zeros', '1111111111111111111114oLvT2', /without an owner/],
]

test.each(unspendable)('a wallet for %s that is %s is refused', async (network, _, address, reason) => {
  const before = await data(app, 'GET', '/v1/wallet', { key: shop.live })
  const body = { cryptoWallets: { [network]: address } }
  const refusal = { status: 400, code: 'validation_error', path: network }
  const answer = await refused(app, refusal, 'PUT', '/v1/wallet', { key: shop.live, body })
  expect(answer.json.error.message).toMatch(reason)
  expect(await data(app, 'GET', '/v1/wallet', { key: shop.live })).toEqual(before)
})

test.each(networks)('an address of %s is refused for networks with a different format', async network => {
  for (const other of networks.filter(name => name !== network)) {
    const body = { cryptoWallets: { [other]: wallets[network] } }
    const refusal = { status: 400, code: 'validation_error', path: other }
    await refused(app, refusal, 'PUT', '/v1/wallet', { key: shop.live, body })
  }
})

test('a merchant who configured no wallet gets an empty one', async () => {
  const wallet = await data(app, 'GET', '/v1/wallet', { key: shop.test })
  expect(walletProblems(wallet)).toEqual([])
  expect(wallet).toMatchObject({
    configured: false,
    cryptoWallets: {},
    configuredCryptoNetworks: [],
    orderWalletOverrideEnabled: false,
    includeCrypto: true,
  })
})

test('a wallet with every address has exactly the documented fields', async () => {
  app.time.now = START + 1000
  const body = { cryptoWallets: wallets, orderWalletOverrideEnabled: true, includeCrypto: false }
  expect(await put(body)).toEqual({
    configured: true,
    payoutWallet: wallets.evm,
    cryptoWallets: wallets,
    configuredCryptoNetworks: expect.arrayContaining(networks.slice(0, 7)),
    walletType: 'custom',
    orderWalletOverrideEnabled: true,
    includeCrypto: false,
    createdAt: expect.any(String),
    updatedAt: new Date(START + 1000).toISOString(),
  })
  app.time.now = START
})

test.each(networks)(
  'a wallet for only %s is configured, and in configuredCryptoNetworks if the API lists the network',
  async network => {
    const wallet = await put({ cryptoWallets: { [network]: wallets[network] } })
    const isListed = network !== 'zec' && network !== 'xmr'
    expect(wallet.cryptoWallets).toEqual({ [network]: wallets[network] })
    expect(wallet.configuredCryptoNetworks).toEqual(isListed ? [network] : [])
    expect(wallet.configured).toBe(network === 'evm')
  },
)

const alsoGood: [network: Network, address: string][] = [
  ['evm', wallets.evm.toLowerCase()],
  ['btc', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['btc', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['bitcoincash', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['bitcoincash', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ['xmr', '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H'],
  [
    'xmr',
    '4LL9oSLmtpccfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2bYXZKKQePHES9khPK',
  ],
]

test.each(alsoGood)('a wallet for %s can also be %s', async (network, address) => {
  const wallet = await put({ cryptoWallets: { [network]: address } })
  expect(wallet.cryptoWallets).toEqual({ [network]: address })
})

test('payoutWallet is an alias of cryptoWallets.evm, and both can be sent if they are equal', async () => {
  expect(await put({ payoutWallet: EVM_WALLET })).toMatchObject({ cryptoWallets: { evm: EVM_WALLET } })
  expect(await put({ cryptoWallets: { evm: OTHER_EVM_WALLET } })).toMatchObject({
    payoutWallet: OTHER_EVM_WALLET,
  })
  expect(await put({ payoutWallet: EVM_WALLET, cryptoWallets: { evm: EVM_WALLET } })).toMatchObject({
    payoutWallet: EVM_WALLET,
  })
})

test('fields that are sent are replaced, and the others stay', async () => {
  await put({ cryptoWallets: { evm: EVM_WALLET, btc: BTC_WALLET }, orderWalletOverrideEnabled: true })
  const wallet = await put({ cryptoWallets: { btc: wallets.btc, ltc: wallets.ltc } })
  expect(wallet).toMatchObject({
    cryptoWallets: { evm: EVM_WALLET, btc: wallets.btc, ltc: wallets.ltc },
    orderWalletOverrideEnabled: true,
    includeCrypto: true,
  })
  expect(await put({ includeCrypto: false })).toMatchObject({
    cryptoWallets: wallet.cryptoWallets,
    orderWalletOverrideEnabled: true,
  })
})

test('an empty string removes a network’s address', async () => {
  await put({ cryptoWallets: { evm: EVM_WALLET, btc: BTC_WALLET } })
  const wallet = await put({ cryptoWallets: { evm: '', ltc: '' } })
  expect(wallet.cryptoWallets).toEqual({ btc: BTC_WALLET })
  expect(wallet).toMatchObject({ configured: false, configuredCryptoNetworks: ['btc'] })
})

test('an address that a buyer of any merchant received cannot be a payout wallet, nor that of an order', async () => {
  await put({ cryptoWallets: { evm: EVM_WALLET, btc: BTC_WALLET }, orderWalletOverrideEnabled: true })
  const given = async (asset: string): Promise<string> => {
    const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
    return (await openCrypto(app, order.orderUUID, asset)).attempt.address
  }
  const [evm, btc] = [await given('ethereum/eth'), await given('btc')]
  const other = await givenMerchant(app)
  const refuse = async (key: string, path: string, body: object) => {
    const refusal = { status: 400, code: 'validation_error', path }
    const [method, url] = path === 'receivingWallet' ? ['POST', '/v1/orders'] : ['PUT', '/v1/wallet']
    const answer = await refused(app, refusal, method!, url!, { key, body })
    expect(answer.json.error.message).toContain('has already been given to a buyer')
  }
  for (const { live } of [shop, other]) {
    await refuse(live, 'payoutWallet', { payoutWallet: evm })
    await refuse(live, 'evm', { cryptoWallets: { evm: evm.toLowerCase() } })
    await refuse(live, 'btc', { cryptoWallets: { btc } })
  }
  await refuse(shop.live, 'receivingWallet', orderBody({ receivingWallet: evm }))
  await refuse(shop.live, 'receivingWallet', orderBody({ receivingWallet: evm.toLowerCase() }))
})

test('an order cannot be paid out to an address that cannot be spent from', async () => {
  await put({ cryptoWallets: { evm: EVM_WALLET }, orderWalletOverrideEnabled: true })
  const body = orderBody({ receivingWallet: '0x000000000000000000000000000000000000dEaD' })
  const refusal = { status: 400, code: 'validation_error', path: 'receivingWallet' }
  await refused(app, refusal, 'POST', '/v1/orders', { key: shop.live, body })
})

test('changing a wallet updates updatedAt and keeps createdAt', async () => {
  const first = await put({ payoutWallet: EVM_WALLET })
  app.time.now = START + 5000
  const second = await put({ payoutWallet: OTHER_EVM_WALLET })
  expect(second.createdAt).toBe(first.createdAt)
  expect(second.updatedAt).toBe(new Date(START + 5000).toISOString())
  app.time.now = START
})

test('each merchant has their own wallet', async () => {
  const stranger = await givenMerchant(app)
  await put({ payoutWallet: EVM_WALLET })
  expect(await data(app, 'GET', '/v1/wallet', { key: stranger.live })).toMatchObject({ configured: false })
})

test('20 changes at once for different networks are all kept', async () => {
  const writes = networks.map(network => ({ cryptoWallets: { [network]: wallets[network] } }))
  await Promise.all(
    [...writes, ...writes].map(body => data(app, 'PUT', '/v1/wallet', { key: shop.live, body })),
  )
  expect((await data(app, 'GET', '/v1/wallet', { key: shop.live })).cryptoWallets).toEqual(wallets)
})
