/** Moving funds from forwarders and seed addresses to the payout wallets. */
export const sweep = {
  title: 'Move funds to your wallets',
  link: 'Move funds to your wallets',
  intro:
    'Payments on Ethereum, on compatible networks and in SOL arrive at addresses that can pay only ' +
    'your wallet. They stay there until you move them. You sign the transfers with your own wallet, ' +
    'which also pays the network fees. This server signs nothing.',
  narrow: 'Only some funds',
  asset: 'Coin',
  assetHint:
    'Enter a coin as network/coin, such as ethereum/usdc or solana/sol. For a token that is not ' +
    'listed, enter network/contract address.',
  min: 'At least',
  minHint: 'Smaller balances are left out. In units of the coin, such as 0.5.',
  wrong: {
    asset:
      'Enter a coin such as ethereum/usdc or solana/sol. For a token that is not listed, enter ' +
      'network/contract address.',
    min: 'Enter a number such as 0.5.',
  },
  look: 'Look for funds',
  held: 'Funds on addresses of customers',
  nothing: (addresses: number) =>
    addresses === 1 ? 'There is nothing on 1 address.' : `There is nothing on ${addresses} addresses.`,
  amount: 'Amount',
  address: 'Address',
  goesTo: 'Goes to',
  order: 'Order',
  paid: 'Paid',
  notPaid: 'Not paid',
  notPaidHint: 'Some of it belongs to orders that are not paid. Refund the customer, or accept the payment.',
  notAsked: 'Not everything could be read:',
  evm: (count: number) => (count === 1 ? '1 transaction to sign' : `${count} transactions to sign`),
  evmHint: 'Any wallet can send them and pays the network fees. The funds always go to the payout wallet.',
  noWallet: 'No wallet was found in this browser. Install one, or copy the transactions below.',
  sign: 'Sign with {wallet}',
  signing: 'Confirm in your wallet. {done} of {all} are sent.',
  sent: 'All {all} are sent. Look for funds again in a few minutes.',
  rejected: 'You refused in your wallet. {done} of {all} are sent; the button continues with the next one.',
  chain: 'Your wallet does not know this network. Add it there, then continue. {done} of {all} are sent.',
  failed: 'Your wallet reported an error. {done} of {all} are sent. Check your wallet before you continue.',
  reverted: 'A transaction failed on the blockchain. {done} of {all} are sent. Look for funds again.',
  show: 'Show the transactions',
  copyHint: 'Send them in this order, with value 0. A contract must be deployed before it can be used.',
  solana: (count: number) =>
    count === 1 ? '1 Solana transaction to sign' : `${count} Solana transactions to sign`,
  solanaHint:
    'Sign each with the payout wallet and send it. They expire after about a minute: look for funds ' +
    'again to ' +
    'get new ones.',
  signer: 'Signer',
  transaction: 'Transaction',
  own: 'In your own wallets, for orders that are not paid',
  ownHint: 'There is nothing to move. Refund the customers, or accept the payments.',
}
