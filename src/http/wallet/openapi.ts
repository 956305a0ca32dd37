import { describeOperation } from '../openapi/describe.ts'
import { Wallet } from './response.ts'

export const getWallet = describeOperation('readWallet', {
  tag: 'Merchant',
  summary: 'Read the payout wallets',
  access: {},
  responses: { 200: ['The wallets.', Wallet] },
})

export const changeWallet = describeOperation('changeWallet', {
  tag: 'Merchant',
  summary: 'Change the payout wallets',
  description:
    'Members that are named are replaced, others stay; an empty text takes a network’s address away. ' +
    '`payoutWallet` is an alias of `cryptoWallets.evm`. Orders keep the wallet that they were made with.',
  access: { live: true, scope: 'orders:manage' },
  responses: { 200: ['The wallets as they are now.', Wallet] },
})
