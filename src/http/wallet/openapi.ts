import { describeOperation } from '../openapi/describe.ts'
import { Wallet } from './response.ts'

export const getWallet = describeOperation('readWallet', {
  tag: 'Merchant',
  summary: 'Get the payout wallets',
  access: {},
  responses: { 200: ['The wallets.', Wallet] },
})

export const changeWallet = describeOperation('changeWallet', {
  tag: 'Merchant',
  summary: 'Change the payout wallets',
  description:
    'Fields that you leave out keep their values; an empty string removes the address of a network. ' +
    '`payoutWallet` is an alias of `cryptoWallets.evm`. Existing orders keep their wallet.',
  // The scope is separate, because a key that manages orders should not decide where the money goes.
  access: { live: true, scope: 'wallet:write' },
  responses: { 200: ['The updated wallets.', Wallet] },
})
