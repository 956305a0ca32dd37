import { Elysia } from 'elysia'
import { toUnits } from '../../domain/money.ts'
import { evmAddressPattern } from '../../domain/wallet.ts'
import { catalogue } from './catalogue.ts'
import { coinList, coins } from './coins.ts'
import { toDollars } from './convert-to-usd.ts'
import type { Wallet, Wallets } from './wallets.ts'

const PAYOUT_COIN = 'polygon/usdc'
const SHARE_PLACES = 6
/** The sum of the shares of shop and operator in a payment with a platform fee, in millionths. */
const SHARED_MILLIONTHS = 990_000n

const error = (message: string): Response =>
  Response.json({ status: 'error', error: message }, { status: 400 })

const queryOf = (request: Request): ((name: string) => string) => {
  const { searchParams } = new URL(request.url)
  return name => searchParams.get(name) ?? ''
}

/** The routes of the API: temporary wallets, catalogue, conversion, status. */
export const apiRoutes = (wallets: Wallets) =>
  new Elysia({ prefix: '/gateway/api' })
    .get('/control/provider-status', () => ({ providers: catalogue }))
    .get('/control/wallet.php', ({ request }) => openForCards(wallets, queryOf(request), null))
    .get('/control/custom-affiliate.php', ({ request }) => openSplit(wallets, queryOf(request)))
    .get('/control/convert.php', ({ request }) => convert(queryOf(request)))
    .get('/control/payment-status.php', ({ request }) =>
      statusOf(wallets.findByToken(queryOf(request)('ipn_token'))),
    )
    .get('/crypto/info.php', () => coinList())
    .get('/crypto/*', ({ request, params }) => openForCoins(wallets, queryOf(request), params['*'] ?? ''))

type Query = (name: string) => string

function callbackProblem(query: Query): Response | null {
  const callback = URL.parse(query('callback'))
  if (callback === null || !/^https?:$/.test(callback.protocol)) return error('callback is not a URL')
  if (callback.search === '')
    return error('You must have at least one unique GET parameter with each request.')
  return null
}

function openForCards(wallets: Wallets, query: Query, shares: Wallet['shares']): object {
  const payout = query('address')
  if (!evmAddressPattern.test(payout)) return error('address is not a wallet address')
  const problem = callbackProblem(query)
  if (problem) return problem
  const terms = { callbackUrl: query('callback'), payout, shares, isPage: true }
  const wallet = wallets.open(coins.get(PAYOUT_COIN)!, terms)
  return {
    address_in: encodeURIComponent(wallet.encryptedAddress),
    polygon_address_in: wallet.address,
    callback_url: wallet.callbackUrl,
    ipn_token: encodeURIComponent(wallet.ipnToken),
  }
}

function openSplit(wallets: Wallets, query: Query): object {
  const merchant = query('address')
  const affiliate = query('affiliate')
  if (!evmAddressPattern.test(affiliate)) return error('affiliate is not a wallet address')
  if (affiliate.toLowerCase() === merchant.toLowerCase()) return error('affiliate must differ from address')
  const shares = [query('affiliate_fee'), query('merchant_fee')] as const
  const [affiliateShare, merchantShare] = shares.map(share => toUnits(share, SHARE_PLACES))
  const sum = (affiliateShare ?? 0n) + (merchantShare ?? 0n)
  if (affiliateShare === null || merchantShare === null || sum !== SHARED_MILLIONTHS) {
    return error('affiliate_fee and merchant_fee must add up to 0.99')
  }
  return openForCards(wallets, query, { [affiliate]: shares[0], [merchant]: shares[1] })
}

function openForCoins(wallets: Wallets, query: Query, path: string): Response | object {
  const coin = coins.get(path.replace(/[/]wallet[.]php$/, ''))
  if (!coin || !path.endsWith('/wallet.php')) return new Response('404 Not Found', { status: 404 })
  const payout = query('address')
  if (payout === '') return error('address is missing')
  const problem = callbackProblem(query)
  if (problem) return problem
  const terms = { callbackUrl: query('callback'), payout, shares: null, isPage: false }
  const wallet = wallets.open(coin, terms)
  return {
    address_in: wallet.address,
    callback_url: wallet.callbackUrl,
    ipn_token: encodeURIComponent(wallet.ipnToken),
  }
}

function convert(query: Query): object {
  const converted = toDollars(query('value'), query('from').toUpperCase())
  if (converted === null) return error('this amount cannot be converted')
  return { status: 'success', value_coin: converted.dollars, exchange_rate: converted.rate }
}

function statusOf(wallet: Wallet | null): object {
  if (wallet === null) return error('unknown ipn_token')
  return wallet.status === 'paid' ? { status: 'paid', ...wallet.paid } : { status: wallet.status }
}
