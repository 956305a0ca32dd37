/** The pages that lead a new shop through its setup. */
export const setup = {
  name: 'Setup',
  stepOf: (number: number, all: number) => `Step ${number} of ${all}`,
  states: { open: 'open', done: 'done', skipped: 'skipped' },
  back: 'Back',
  skip: 'Skip for now',
  next: 'Continue',
  finish: 'Go to your shop',
  later: 'You can change everything later. Steps that you skip are listed on the overview.',
  short: {
    account: 'Your login',
    shop: 'Your shop',
    payouts: 'Wallets',
    webhook: 'Webhook',
    product: 'First sale',
    payment: 'Try it',
  },
  shop: {
    title: 'Your shop',
    intro: 'This is what customers see when they pay.',
    name: 'Name of the shop',
    color: 'Color',
    colorHint: 'Used for buttons and links.',
    currency: 'Currency',
    currencyHint: 'The default for new products and orders. You can choose another one for each.',
    email: 'Email address of the shop',
    emailHint: 'Florin sends messages about payments there. Customers do not see it.',
    taken: 'Another shop of this server already uses this email address. Enter a different one.',
    create: 'Create the shop and continue',
    save: 'Save and continue',
  },
  payouts: {
    title: 'Wallets',
    intro:
      'Florin needs only a public address or a public key of your wallet, never a private key or ' +
      'seed words. Only your wallet can collect the payments. On Bitcoin and similar networks, they ' +
      'arrive there directly. On Ethereum-compatible networks and in SOL, you move them there.',
    start:
      'Most shops start with one of these two. Your wallet app shows its address under “Receive”, ' +
      'and its extended public key in the account details.',
    why: {
      evm:
        'USDC, USDT, ether and more: one address for all of them, such as from MetaMask or a ' +
        'hardware wallet.',
      btc:
        'The extended public key of your wallet (xpub, ypub or zpub). With it, each customer gets a ' +
        'separate address.',
    },
    others: 'Other networks',
    enter: 'Enter',
    change: 'Change',
    payable: (coins: string) => `Customers can pay with ${coins}.`,
    notPayable: 'Set up, but customers cannot pay with it yet.',
    whatIsMissing: 'See what is missing',
    saved: 'Saved. Add another network, or continue.',
  },
  webhook: {
    title: 'Notify your website',
    intro: 'If your own website takes orders, Florin sends it a signed message about each paid order.',
    without:
      'If you only use payment links and product pages, you do not need this: you see payments here, and ' +
      'get them by email or on your phone under Notifications.',
    skip: 'I have no website of my own',
    save: 'Save and send a test event',
    again: 'Send another test event',
    sentTo: 'Events are sent to:',
    more: 'All settings of the webhook',
  },
  product: {
    title: 'Your first product or payment link',
    intro: 'Create something that a customer can pay. You get a link and a QR code to hand out.',
    kind: 'What do you need?',
    kinds: {
      product: 'A product',
      link: 'A payment link',
    },
    kindHints: {
      product: 'Has a page of its own, where many customers can order it.',
      link: 'For one customer, who pays once, such as for an invoice.',
    },
    what: 'What is it?',
    whatHint: 'Customers see it, such as “Coffee beans, 1 kg” or “Invoice 17”.',
    wrongWhat: 'Enter at most 120 characters.',
    submit: 'Create it',
    done: {
      product: 'This is the page of your product. Anyone with the link can order it.',
      link: 'This is your payment link. Send it to the customer.',
    },
    open: 'View as a customer',
    qr: 'QR code of the link',
    another: { product: 'All products', link: 'All orders' },
    needsWallet: 'A payment link needs a wallet to pay to.',
    toWallets: 'Enter a wallet first',
  },
  payment: {
    title: 'See how a customer pays',
    sandboxIntro:
      'This server is a sandbox. Florin creates an order and pays it with play money, so that you see how ' +
      'a paid order looks.',
    pay: 'Create and pay a test order',
    liveIntro:
      'Create a real order for a small amount and pay it yourself, from another wallet or your ' +
      'phone. On Ethereum-compatible networks and in SOL, your wallet does not show the money until ' +
      'you move it there: see “Move funds to your wallets” under Wallets.',
    amount: (currency: string) => `Amount in ${currency}`,
    wrongAmount: 'Enter an amount above zero, with the decimals of the currency.',
    create: 'Create the order',
    needsWallet: 'Nobody can pay yet, because there is no wallet that the money can go to.',
    notOffered: 'Customers cannot pay with any coin yet. Open Wallets to see what is missing.',
    toWallets: 'Enter a wallet',
    toPayouts: 'See what is missing',
    scan: (sum: string) => `Pay ${sum}: scan the code with your phone, or open the link.`,
    waiting: 'Waiting for your payment. This page shows when it arrives.',
    seen: 'Your payment was seen. It is waiting for confirmations.',
    check: 'Check now',
    over: 'This order was not paid in time. Create another one.',
    paid: (sum: string, time: string) => `Paid: ${sum}, ${time}. Your shop works.`,
    toOrder: 'Look at the order',
  },
}
