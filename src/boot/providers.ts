import { assert, asserted } from '../domain/errors.ts'
import { mollieFacts } from '../providers/mollie/facts.ts'
import { paypalFacts } from '../providers/paypal/facts.ts'
import type { OwnAccountFacts, Provider, Providers } from '../providers/port.ts'
import { stripeFacts } from '../providers/stripe/facts.ts'
import { testProvider } from '../providers/test/test.ts'
import type { Settings } from '../settings/table.ts'
import { gatewayKeysOf } from './gateway-keys.ts'
import { fetchOf, type Platform } from './platform.ts'

const TIMEOUT_MS = 20_000

const STRIPE_URL = 'https://api.stripe.com'
const MOLLIE_URL = 'https://api.mollie.com/v2'
const PAYPAL_URL = 'https://api-m.paypal.com'

/** Addresses of the sandbox's stand-ins for card providers and PayGate, and the signing key of the latter. */
interface StandIns {
  stripeUrl: string
  mollieUrl: string
  paypalUrl: string
  apiUrl: string
  checkoutUrl: string
  feeWallet: string
  publicKey(): Promise<string>
}

/** Makes a provider from the settings; null if they do not configure it. */
export type ProviderFactory = (
  settings: Settings,
  platform: Platform,
  standIns: StandIns | null,
  clock: () => number,
) => Provider | null

/** Loads the code of a provider when an account of a shop is first used. */
function whenUsed(facts: OwnAccountFacts, load: () => Provider): Provider {
  let loaded: Provider | null = null
  const adapter = () => {
    loaded ??= load()
    return loaded
  }
  return {
    ...facts,
    get charge() {
      return asserted(adapter().charge, 'accounts of shops take charges')
    },
    identify: inbound => adapter().identify(inbound),
    receive: (...callback) => adapter().receive(...callback),
    lookup: attempt => adapter().lookup(attempt),
  }
}

type Stripe = typeof import('../providers/stripe/stripe.ts').stripe
type Mollie = typeof import('../providers/mollie/mollie.ts').mollie
type PayPal = typeof import('../providers/paypal/paypal.ts').paypal

/**
 * Card payments to the shops' own Stripe accounts. The sandbox takes only test keys, other servers only live
 * ones.
 */
const stripeAdapter: ProviderFactory = (settings, platform, standIns, clock) =>
  whenUsed(stripeFacts, () => {
    const stripe: Stripe = require('../providers/stripe/stripe.ts').stripe
    return stripe({
      apiUrl: settings.stripeUrl || (standIns?.stripeUrl ?? STRIPE_URL),
      fetch: fetchOf(platform, 'stripe'),
      timeoutMs: TIMEOUT_MS,
      clock,
      mode: settings.sandbox ? 'test' : 'live',
    })
  })

const mollieAdapter: ProviderFactory = (settings, platform, standIns) =>
  whenUsed(mollieFacts, () => {
    const mollie: Mollie = require('../providers/mollie/mollie.ts').mollie
    return mollie({
      apiUrl: settings.mollieUrl || (standIns?.mollieUrl ?? MOLLIE_URL),
      fetch: fetchOf(platform, 'mollie'),
      timeoutMs: TIMEOUT_MS,
      mode: settings.sandbox ? 'test' : 'live',
    })
  })

const payPalAdapter: ProviderFactory = (settings, platform, standIns, clock) =>
  whenUsed(paypalFacts, () => {
    const paypal: PayPal = require('../providers/paypal/paypal.ts').paypal
    return paypal({
      apiUrl: settings.paypalUrl || (standIns?.paypalUrl ?? PAYPAL_URL),
      fetch: fetchOf(platform, 'paypal'),
      timeoutMs: TIMEOUT_MS,
      clock,
      mode: settings.sandbox ? 'test' : 'live',
    })
  })

type PayGate = typeof import('../providers/paygate/paygate.ts').payGate

/** Loads the adapter of a gateway only if the settings name one. */
const payGateAdapter: ProviderFactory = (settings, platform, standIns) => {
  const keys = standIns ? null : gatewayKeysOf(settings.gatewayPublicKeys)
  if (!standIns && settings.gatewayUrl === '') return null
  const payGate: PayGate = require('../providers/paygate/paygate.ts').payGate
  const shared = {
    fetch: fetchOf(platform, 'gateway'),
    timeoutMs: TIMEOUT_MS,
    minimumShare: settings.providerMinReceived,
  }
  if (standIns) return payGate({ ...standIns, ...shared, publicKeys: standIns.publicKey })
  return payGate({
    ...shared,
    apiUrl: settings.gatewayUrl,
    checkoutUrl: settings.gatewayCheckoutUrl,
    feeWallet: settings.feeWallet || null,
    publicKeys: keys && (async id => keys.get(id) ?? null),
  })
}

/** All providers that settings can configure. If method keys collide, the earlier provider wins. */
export const providerFactories: readonly ProviderFactory[] = [
  stripeAdapter,
  mollieAdapter,
  payPalAdapter,
  payGateAdapter,
]

export function providersOf(
  settings: Settings,
  platform: Platform,
  standIns: StandIns | null,
  clock: () => number,
  from: readonly ProviderFactory[] = providerFactories,
): Providers {
  const all = from
    .map(adapter => adapter(settings, platform, standIns, clock))
    .filter(provider => provider !== null)
  const byId = new Map([...all, testProvider].map(provider => [provider.id, provider]))
  assert(byId.size === all.length + 1, 'each provider has an id of its own')
  return { all, find: id => byId.get(id) }
}
