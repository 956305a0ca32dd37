/** Where the money of a shop goes. */
export const payouts = {
  title: 'Where money goes',
  titleOf: (network: string) => `Where money goes: ${network}`,
  intro: 'Buyers pay to your own wallets. Florin holds no money and needs no private key.',
  back: 'All networks',
  networks: {
    evm: 'Ethereum and compatible networks',
    btc: 'Bitcoin',
    bitcoincash: 'Bitcoin Cash',
    ltc: 'Litecoin',
    doge: 'Dogecoin',
    solana: 'Solana',
    trc20: 'TRON',
    zec: 'Zcash',
    xmr: 'Monero',
  },
  wallet: 'Payout wallet',
  noWallet: 'none',
  notSet: 'Nothing is set, so buyers cannot pay on this network.',
  setUp: 'Set up',
  change: 'Change',
  kinds: {
    xpub: 'Account key',
    viewkey: 'View key',
    pool: 'List of addresses',
    create2: 'Forwarder contracts',
    seed: 'Seed addresses',
    shared: 'The payout wallet itself',
    issued: 'Invoices',
    sandbox: 'Sandbox',
  },
  given: (count: number) =>
    count === 1 ? '1 address given to a buyer.' : `${count} addresses given to buyers.`,
  free: (count: number) => (count === 1 ? '1 address left.' : `${count} addresses left.`),
  gapLimit: (limit: number) => `Set the gap limit of your wallet to at least ${limit}.`,
  poolUsedUp: 'No addresses are left. Add some to the list.',
  poolLow: (count: number) =>
    count === 1
      ? 'Only 1 address is left. Add some to the list.'
      : `Only ${count} addresses are left. Add some to the list.`,
  accountUsedUp:
    'The last addresses were never paid, so no more are given to buyers until one of them is. Raise ' +
    'the gap ' +
    'limit of your wallet, then ask the operator to raise FLORIN_UNPAID_ADDRESSES.',
  warning: 'The payout wallet cannot take all payments:',
  walletProblems: {
    elsewhere: (chain: string, others: string) =>
      `${chain} is not offered: the wallet is a contract on ${others}, and does not exist on ${chain}.`,
    unknown: (chain: string) =>
      `${chain} is not offered yet: the wallet is a contract, and ${chain} has not said whether it ` +
      'exists there.',
    coin: (chain: string) =>
      `The coin of ${chain} is not offered: the wallet cannot take it. Tokens may still be.`,
  },
  coinsOf: (network: string) => `Coins on ${network}`,
  coin: 'Coin',
  from: 'Source of addresses',
  fromNowhere: 'none',
  state: 'State',
  payable: 'Buyers can pay with it',
  lacks: {
    endpoint: 'Needs an endpoint for this network.',
    unusable: 'Its endpoint does not answer, or cannot find payments in it.',
    source: 'Needs a source of addresses.',
    payout: 'The payout wallet cannot take it.',
    rate: 'Needs an exchange rate.',
  },
  chosen: 'Saved. The coins below show what they still need.',
  missing: 'Still missing',
  missingHint: 'Buyers can pay with these coins as soon as you have chosen what is missing.',
  missingOperator: 'Ask the operator of this server to choose what is missing, under “Endpoints and rates”.',
  lacksEndpoint: (coins: string, chain: string) => `${coins}: an endpoint of ${chain}, which sees payments.`,
  chooseEndpoint: (chain: string) => `Choose one for ${chain}`,
  lacksRates: 'Exchange rates, to price the coins.',
  chooseRates: 'Choose rates',
  now: 'Set now',
  enter: 'Enter a new one',
  neverPrivate:
    'Never enter a private key or seed words: Florin needs nothing that can spend. They are refused ' +
    'and not kept.',
  labels: {
    address: 'Address',
    account: 'Address or account key',
    viewkey: 'Primary address',
  },
  hints: {
    address: 'The address of your wallet on this network.',
    account:
      'An account key (extended public key, such as xpub or zpub) gives every buyer a separate ' +
      'address of your ' +
      'wallet. With it, Florin sees payments but cannot spend.',
    viewkey: 'The primary address of your wallet, which begins with 4.',
  },
  needsAccount:
    'An address alone is not enough here: each payment needs an address of its own. Enter an account ' +
    'key, or ' +
    'use a list of addresses.',
  viewKey: 'Private view key',
  viewKeyHint: '64 characters. It shows incoming payments and cannot spend. Never the spend key.',
  script: 'Type of addresses',
  scripts: {
    p2pkh: 'Legacy (p2pkh)',
    'p2sh-p2wpkh': 'Nested SegWit (p2sh-p2wpkh)',
    p2wpkh: 'Native SegWit (p2wpkh)',
  },
  check: 'Check',
  compare: 'Compare with your wallet',
  checksum: 'This is the address with its checksum. Compare every character with your wallet:',
  firstAddresses: 'These are the first addresses. Your wallet must show the same for receiving:',
  compared: 'I have compared this with my wallet, and it is the same.',
  compareFirst: 'Compare first, then check this box.',
  others: 'Does your wallet show another address?',
  othersHint: 'The same key can be used in several ways. If your wallet shows one of these first, choose it:',
  useThis: 'My wallet shows this one',
  remove: {
    address: 'Remove the payout wallet',
    xpub: 'Stop using the account key',
    viewkey: 'Stop using the view key',
    pool: 'Stop using the list',
  },
  removeAsk:
    'Remove it? Buyers get no new addresses from it. Addresses that buyers already have stay monitored.',
  saved: {
    set: 'Saved. New payments use it from now on.',
    removed: 'Removed. Addresses that buyers already have stay monitored.',
  },
  problems: {
    privateKey:
      'This looks like a private key or seed words. It was not stored. If you entered it anywhere, ' +
      'others may ' +
      'know it: move the money of that wallet to a new one, then enter the public address or account key.',
    address:
      'This is not an address or a key that can be used on this network. Copy it from your wallet again.',
    viewKey: 'The address and the view key do not fit. Copy both from the same wallet.',
    taken: 'This key already belongs to another shop.',
    expired: 'This took too long, or the server was restarted. Enter it again.',
  },
}
