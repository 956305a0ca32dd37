/** Where the money of a shop goes. */
export const payouts = {
  title: 'Wallets',
  titleOf: (network: string) => `Wallets: ${network}`,
  intro:
    'Florin never holds your money. On Bitcoin and similar networks, payments arrive in your wallet ' +
    'directly. On Ethereum and compatible networks, and in SOL, they usually wait on separate ' +
    'addresses that can pay only your wallet, until you move them there. Florin never needs a key ' +
    'that can spend money, or seed words.',
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
  notSet: 'Nothing is set, so customers cannot pay on this network.',
  setUp: 'Set up',
  change: 'Change',
  kinds: {
    xpub: 'Extended public key',
    viewkey: 'View key',
    pool: 'Address list',
  },
  /** how customers get an address of a coin */
  ways: {
    xpub: 'New addresses from your extended public key',
    viewkey: 'New addresses from your view key',
    pool: 'Addresses from your list',
    create2: 'Separate contract for each payment',
    seed: 'Separate address for each payment',
    shared: 'Your wallet’s own address',
    issued: 'Invoice from the provider',
    sandbox: 'Simulated addresses',
  },
  given: (count: number) =>
    count === 1 ? '1 address given to a customer.' : `${count} addresses given to customers.`,
  free: (count: number) => (count === 1 ? '1 address left.' : `${count} addresses left.`),
  gapLimit: (limit: number) =>
    'Set the gap limit of your wallet (how many unused addresses in a row it looks through) to at ' +
    `least ${limit}. Otherwise, it may not show some payments, although they are yours.`,
  poolUsedUp: 'No addresses are left. Add some to the list.',
  poolLow: (count: number) =>
    count === 1
      ? 'Only 1 address is left. Add some to the list.'
      : `Only ${count} addresses are left. Add some to the list.`,
  accountUsedUp:
    'Customers cannot get new addresses here: too many in a row were given out and never paid. They ' +
    'can again when one of these is paid. To continue now, raise the gap limit of your wallet, then ' +
    'ask the operator of this server to raise FLORIN_UNPAID_ADDRESSES.',
  warning: 'Your wallet cannot take all payments:',
  walletProblems: {
    elsewhere: (chain: string, others: string) =>
      `Customers cannot pay on ${chain}: your wallet is a smart contract wallet (such as Safe) that ` +
      `exists on ${others} but not on ${chain}. Deploy it there, or enter another wallet.`,
    unknown: (chain: string) =>
      `Florin has not yet been able to check whether your wallet exists on ${chain}. Until then, ` +
      'customers cannot pay there.',
    coin: (chain: string) =>
      `Your wallet cannot receive the native coin of ${chain}. Customers may still be able to pay with ` +
      'tokens such as USDC.',
  },
  coinsOf: (network: string) => `Coins on ${network}`,
  coin: 'Coin',
  from: 'How customers get an address',
  fromNowhere: 'not yet',
  state: 'State',
  payable: 'Customers can pay with it',
  lacks: {
    endpoint: 'Needs an endpoint for this network.',
    unusable: 'Its endpoint does not answer, or cannot find payments in it.',
    source: 'Enter an extended public key or an address list for this network.',
    payout: 'Your wallet cannot receive this coin. Enter another wallet address.',
    rate: 'Needs an exchange rate source.',
  },
  lacksRate: {
    none: (sources: string) => `No price from ${sources}.`,
    one: (source: string) => `Only ${source} has a price. If there are several sources, two must agree.`,
    addTwo: (sources: string) => `Two of these sources are needed: ${sources}.`,
    addOne: (sources: string) => `One of these sources is needed too: ${sources}.`,
    noOthers: 'Too few other exchanges have one. The operator can set prices with FLORIN_RATES.',
    notNow: (sources: string) =>
      `No usable price from ${sources} now. Prices must be recent, and if there are several sources, ` +
      'two must agree.',
  },
  lacksSource: { solana: 'Enter an address list for this coin.', xmr: 'Enter the view key of your wallet.' },
  chosen: 'Saved. The coins below show what they still need.',
  missing: 'Still missing',
  missingHint: 'Customers can pay with these coins as soon as you have chosen what is missing.',
  missingOperator: 'Ask the operator of this server to choose what is missing, under “Endpoints and rates”.',
  lacksEndpoint: (coins: string, chain: string) =>
    `${coins}: an endpoint of ${chain} (a server that Florin asks about payments).`,
  chooseEndpoint: (chain: string) => `Choose one for ${chain}`,
  lacksRates: 'An exchange rate source, for the prices of the coins.',
  chooseRates: 'Choose rates',
  now: 'Current setup',
  enter: 'Enter a wallet',
  neverPrivate:
    'Never enter a private key or seed words: Florin needs nothing that can spend. They are refused ' +
    'and not kept.',
  neverSpendKey:
    'Enter the private view key, which only shows payments. Never enter the private spend key or seed ' +
    'words: ' +
    'they are refused and not kept.',
  labels: {
    address: 'Address',
    either: 'Address or extended public key',
    account: 'Extended public key or address',
    viewkey: 'Primary address',
  },
  hints: {
    either:
      'The address of your wallet is enough. Payments then wait on separate addresses until you move ' +
      'them to your wallet. With the extended public key of an account (xpub), they arrive at new ' +
      'addresses of that account.',
    address: 'The address of your wallet on this network.',
    account:
      'Enter the extended public key that your wallet shows under account details, such as xpub, ' +
      'ypub or zpub. With it, each customer gets a separate address, and Florin sees payments but ' +
      'cannot spend them.',
    viewkey: 'The primary address of your wallet, which begins with 4.',
  },
  needsAccount:
    'An address alone is not enough on this network, because each payment needs a separate one. ' +
    'Enter the extended public key of your wallet, or use an address list.',
  viewKey: 'Private view key',
  viewKeyHint: '64 characters. It shows incoming payments and cannot spend. Never the spend key.',
  script: 'Address type',
  scriptHints: {
    btc:
      'Look at a receiving address in your wallet: bc1q… is Native SegWit, bc1p… is Taproot, 3… is Nested ' +
      'SegWit, 1… is Legacy.',
    ltc:
      'Look at a receiving address in your wallet: ltc1q… is Native SegWit, M… is Nested SegWit, ' +
      'L… is Legacy.',
  },
  scripts: {
    p2pkh: 'Legacy (p2pkh)',
    'p2sh-p2wpkh': 'Nested SegWit (p2sh-p2wpkh)',
    p2wpkh: 'Native SegWit (p2wpkh)',
    p2tr: 'Taproot (p2tr)',
  },
  check: 'Continue',
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
    xpub: 'Stop using the extended public key',
    viewkey: 'Stop using the view key',
    pool: 'Stop using the list',
  },
  removeAsk:
    'Remove it? Customers get no new addresses from it. Addresses that they already have stay ' +
    'monitored.',
  saved: {
    set: 'Saved. New payments use it from now on.',
    removed: 'Removed. Addresses that customers already have stay monitored.',
  },
  problems: {
    privateKey:
      'This looks like a private key or seed words. It was not stored. If you entered it anywhere, ' +
      'others may know it: move the money of that wallet to a new one, then enter its public address ' +
      'or extended public key.',
    address:
      'This is not an address or a key that can be used on this network. Copy it from your wallet again.',
    viewKey: 'The address and the view key do not belong together. Copy both from the same wallet.',
    taken: 'This key already belongs to another shop.',
    expired: 'This took too long, or the server was restarted. Enter it again.',
  },
}
