import * as kinds from './parsers.ts'
import { setting } from './setting.ts'

/** The settings of payment providers. */
export const providerTable = {
  gatewayUrl: setting(
    'FLORIN_GATEWAY_URL',
    '',
    "Base URL of the gateway's API for cards, banks and digital wallets (PayGate.to or " +
      'compatible); if empty, these are not offered.',
    kinds.url,
  ),
  gatewayCheckoutUrl: setting(
    'FLORIN_GATEWAY_CHECKOUT_URL',
    '',
    "Base URL of the gateway's payment pages; required with FLORIN_GATEWAY_URL.",
    kinds.url,
  ),
  gatewayPublicKeys: setting(
    'FLORIN_GATEWAY_PUBLIC_KEYS',
    '',
    "Comma-separated ID=FILE.pem of the gateway's public keys; without them, Florin asks the " +
      'gateway to confirm each callback.',
    kinds.list,
  ),
  stripeUrl: setting(
    'FLORIN_STRIPE_URL',
    '',
    "Stripe API for the shops' own accounts; if empty, Stripe's own, and in the sandbox a simulated one.",
    kinds.url,
  ),
  mollieUrl: setting(
    'FLORIN_MOLLIE_URL',
    '',
    "Mollie API for the shops' own accounts; if empty, Mollie's own, and in the sandbox a simulated one.",
    kinds.url,
  ),
  paypalUrl: setting(
    'FLORIN_PAYPAL_URL',
    '',
    "PayPal API for the shops' own accounts; if empty, PayPal's own, and in the sandbox a simulated one.",
    kinds.url,
  ),
  feeWallet: setting(
    'FLORIN_FEE_WALLET',
    '',
    'EVM wallet to which the gateway pays your platform fees. If empty, and for all other payments, fees ' +
      'are only recorded.',
    kinds.evmAddress,
  ),
  providerMinReceived: setting(
    'FLORIN_PROVIDER_MIN_RECEIVED',
    '0.85',
    'Smallest part of the price that must arrive through the gateway, after fees, for an order to count as ' +
      'paid (0.85 is 85%).',
    kinds.share,
  ),
}
