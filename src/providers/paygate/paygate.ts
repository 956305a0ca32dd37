import { assert } from '../../domain/errors.ts'
import { evmAddressPattern } from '../../domain/wallet.ts'
import type { Fetch, Provider } from '../port.ts'
import { openApi } from './api.ts'
import { receive } from './callback.ts'
import { coins } from './coins.ts'
import { inDollars } from './convert-to-usd.ts'
import { methods } from './methods.ts'
import { openAddress, provision } from './provision.ts'
import type { PublicKeys } from './signature.ts'
import { lookup } from './status.ts'

export interface GatewayOptions {
  /** where the API is: "https://api.paygate.to" */
  apiUrl: string
  /** where the payment pages are: "https://checkout.paygate.to" */
  checkoutUrl: string
  /** the PEM of a key that signs callbacks, by its id; null for one that is not known */
  publicKeys: PublicKeys
  /** the EVM wallet that the platform's fee is paid out to; without one nothing is split off */
  feeWallet: string | null
  fetch: Fetch
  /** for one request with its whole answer */
  timeoutMs: number
}

/** PayGate.to and the hosts that speak its format. */
export function gateway(options: GatewayOptions): Provider {
  const { publicKeys, feeWallet } = options
  assert(feeWallet === null || evmAddressPattern.test(feeWallet), 'the fee wallet is an EVM address')
  const apiUrl = bare(options.apiUrl)
  const checkoutUrl = bare(options.checkoutUrl)
  const ask = openApi({ ...options, apiUrl, checkoutUrl })
  return {
    id: 'gateway',
    acknowledgement: '*ok*',
    methods: () => methods(ask),
    inDollars: (amount, currency) => inDollars(ask, amount, currency),
    provision: request => provision(ask, { checkoutUrl, feeWallet }, request),
    coins: () => coins(ask),
    openAddress: (assetId, request) => openAddress(ask, assetId, request),
    receive: (inbound, attempt) => receive(inbound, attempt, publicKeys, stored => lookup(ask, stored)),
    lookup: attempt => lookup(ask, attempt),
  }
}

const bare = (url: string): string => url.replace(/[/]+$/, '')
