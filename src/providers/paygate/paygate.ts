import { assert } from '../../domain/errors.ts'
import type { AddressRequest, CoinForwarding, Fetch, ForwardingAddress, Provider } from '../port.ts'
import { type CallApi, makeApi, refused } from './api.ts'
import { identify, receive } from './callback.ts'
import { isEvm, listCoins, pathOf } from './coins.ts'
import { GATEWAY } from './id.ts'
import { listMethods } from './methods.ts'
import { openPage, PAYOUT_ASSET } from './open-page.ts'
import type { PublicKeys } from './signature.ts'
import { lookup } from './status.ts'
import { checkEvmPayout, decodedField, isEvmAddress } from './wallet-response.ts'

/**
 * Opens an address of one coin. The gateway's crypto endpoints deduct their own fee and cannot split off
 * another one.
 */
async function openAddress(
  callApi: CallApi,
  assetId: string,
  { payoutAddress, callbackUrl }: AddressRequest,
): Promise<ForwardingAddress> {
  const path = pathOf(assetId)
  if (path === undefined) throw refused('The gateway has no addresses for this asset.')
  if (isEvm(assetId)) checkEvmPayout(payoutAddress)
  const query = { address: payoutAddress, callback: callbackUrl }
  const wallet = await callApi(`/crypto/${path}/wallet.php`, query, 'refusable')
  return {
    address: decodedField(wallet, 'address_in'),
    reference: decodedField(wallet, 'ipn_token'),
    feeSplit: false,
  }
}

export interface PayGateOptions {
  /** base URL of the API, such as "https://api.paygate.to" */
  apiUrl: string
  /** base URL of the payment pages, such as "https://checkout.paygate.to" */
  checkoutUrl: string
  /** public keys that verify callbacks; null if there are none, so that each callback is looked up */
  publicKeys: PublicKeys | null
  /** EVM wallet that receives the platform's fee; null if no fee is split off */
  feeWallet: string | null
  /** share of the amount due that settles an order, in millionths */
  minimumShare: bigint
  fetch: Fetch
  /** timeout of a request with its whole response */
  timeoutMs: number
}

export interface PayGate extends Provider {
  readonly forwarding: CoinForwarding
}

/** The provider PayGate.to, or a host with the same API. */
export function payGate(options: PayGateOptions): PayGate {
  const { publicKeys, feeWallet, minimumShare } = options
  assert(feeWallet === null || isEvmAddress(feeWallet), 'the fee wallet is an EVM address')
  const apiUrl = withoutSlash(options.apiUrl)
  const checkoutUrl = withoutSlash(options.checkoutUrl)
  const callApi = makeApi({ ...options, apiUrl, checkoutUrl })
  return {
    id: GATEWAY,
    callbackMethod: 'GET',
    acknowledgement: '*ok*',
    forwarding: {
      needsEvmWallet: true,
      paidIn: PAYOUT_ASSET,
      methods: () => listMethods(callApi),
      openPage: request => openPage(callApi, { checkoutUrl, feeWallet, minimumShare }, request),
      coins: () => listCoins(callApi),
      openAddress: (assetId, request) => openAddress(callApi, assetId, request),
    },
    identify,
    receive: (inbound, attempt) => receive(inbound, attempt, publicKeys, own => lookup(callApi, own)),
    lookup: attempt => lookup(callApi, attempt),
  }
}

const withoutSlash = (url: string): string => url.replace(/[/]+$/, '')
