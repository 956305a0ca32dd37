/** The endpoints of chains and the exchange rate sources, which an operator chooses. */
export const endpoints = {
  title: 'Endpoints and rates',
  titleOf: (chain: string) => `Endpoints of ${chain}`,
  intro:
    'To see payments in coins, Florin asks servers that know the blockchain, called endpoints. For ' +
    'the prices of coins, it asks exchanges. Changes apply at once to all shops on this server.',
  sandbox: 'In the sandbox, chains and rates are simulated, so there is nothing to choose.',
  locked: (setting: string) =>
    `These settings are fixed by the environment variable ${setting}. To change them here, remove ` +
    'the variable and restart the server.',
  back: 'All endpoints and rates',
  backTo: (network: string) => `Back to the wallet: ${network}`,
  backToPayouts: 'Wallets',
  chains: 'Chains',
  chain: 'Chain',
  used: 'Endpoints',
  none: 'none',
  fromEnvironment: 'set by an environment variable',
  choose: 'Choose',
  change: 'Change',
  list: 'Used in this order',
  listHint:
    'If an endpoint fails, Florin uses the next one. Add at least two that are run by different ' +
    'companies.',
  empty: 'None yet. Until you add one, customers cannot pay to your own addresses on this network.',
  header: (name: string) => `Sends the header ${name}, whose value is not shown again.`,
  worked: 'Worked at',
  notUsed: 'Not used since the server started',
  failed: 'Could not be used the last time:',
  raise: 'Move up',
  remove: 'Remove',
  removeAsk: (host: string) =>
    `Remove ${host}? Without any endpoint, Florin does not see payments on this chain, also ` +
    'of open orders.',
  test: 'Test',
  of: (host: string) => ` ${host}`,
  public: 'Public endpoints',
  publicHint:
    'Free, and run by others. They may limit or refuse requests. Florin tests each one before saving.',
  noPublic: 'No free public endpoint is known for this chain. Use your own node, or a provider of nodes.',
  runBy: (operator: string) => `Run by ${operator}`,
  add: 'Test and add',
  sees: 'What an endpoint sees',
  seesText:
    'The addresses that your customers pay to, so that it can tell that they belong together, ' +
    'and the IP address ' +
    'of this server. It does not see names, email addresses or products. A wrong answer ' +
    'could make an order ' +
    'look paid or unpaid: choose operators that you trust, or run your own node.',
  own: 'Another endpoint',
  url: 'URL',
  urlHint: (example: string) =>
    `Of your provider or your own node, such as ${example}. It is not shown again.`,
  urlPrivate:
    'To use a node in your own network, add its host and port to the environment variable ' +
    'FLORIN_OUTBOUND_ALLOW, such as 192.168.1.5:8332, and restart the server.',
  headerName: 'Name of a header with your key',
  headerNameHint: 'Only if your provider asks for one, such as x-api-key.',
  headerValue: 'Value of the header',
  wrong: {
    text: 'Enter a URL that begins with https:// and is not in the list yet.',
    headerName: 'Enter the name of a header, such as x-api-key.',
    headerValue: 'Enter the value of the header: letters, digits and signs without accents.',
  },
  added: 'Added. Florin uses it from now on.',
  removed: 'Removed.',
  moved: 'Rearranged.',
  partly: (assets: string) => `Payments in ${assets} can be found with it. For others, it cannot be used:`,
  tested: (host: string, assets: string) => `${host} works for ${assets}.`,
  unusable: (host: string) => `${host} cannot be used, so it was not added:`,
  stillUnusable: (host: string) => `${host} cannot be used now:`,
  faults: {
    wrongChain: 'It serves another chain. Check that you chose the URL for this chain.',
    private:
      'It is in a private network, or its URL does not begin with https://. If it is your own, add ' +
      'its host and port to the environment variable FLORIN_OUTBOUND_ALLOW and restart the server.',
    silent: 'It did not answer in time. Try again later, or choose another one.',
    limited: 'It limits requests. Try again later, or choose one with a key of your own.',
    denied:
      'It asks for a valid key. Enter the URL that your provider gave you, or the header with your key.',
    unreachable: 'It cannot be reached. Check the host and port in its URL, or choose another one.',
    behind: 'It does not know the newest blocks, so payments would be missed. Choose another one.',
    failing: 'It reports an error of its own. Try again later, or choose another one.',
    malformed: 'Its answer cannot be read. Check the path of the URL, or choose another one.',
    noPrice: 'It has no prices.',
    unusable: 'It answers in a way that Florin cannot use. Choose another one.',
  },
  rates: 'Exchange rates',
  ratesHint:
    'Choose three sources if you can. With two or more, Florin uses a price only if two of them ' +
    'agree. With one, Florin uses its price unchecked.',
  oneRate: 'There is only one source, so a wrong price would go unnoticed. Add another one.',
  noRates: 'None yet. Until you add one, customers cannot pay with coins.',
  ratesSee:
    'An exchange sees the IP address of this server and which coins it asks about, but no ' +
    'orders and no addresses.',
  exchanges: { kraken: 'Kraken', coinbase: 'Coinbase', binance: 'Binance', coingecko: 'CoinGecko' },
  exchangeNotes: {
    kraken: 'Prices in US dollars and some larger currencies.',
    coinbase: 'Prices in US dollars and most other currencies.',
    binance: 'Prices in USDT, which Florin converts, so it needs another source too.',
    coingecko: 'Averages of many exchanges, in many currencies. Limits free use.',
  },
  rateProblem: (name: string) => `${name} cannot be used, so it was not added:`,
  rateUnusable: (name: string) => `${name} cannot be used now:`,
  rateTested: (name: string) => `${name} works.`,
  rateAdded: 'Added. Florin uses it from now on.',
  binanceAlone: 'Binance cannot be the only source. Add another one first.',
}
