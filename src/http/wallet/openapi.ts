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
  // The specification names no scope. Changing where the money goes is part of managing orders.
  access: { live: true, scope: 'orders:manage' },
  responses: { 200: ['The updated wallets.', Wallet] },
})
