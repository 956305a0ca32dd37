/** An open crypto payment, and one whose time has run out. Amounts come with their coin, as "0.001 BTC". */
export const crypto = {
  coinOnNetwork: (coin: string, network: string) => `${coin} on ${network}`,
  pay: (amount: string, network: string) => `Pay ${amount} on ${network}`,
  payCoin: (amount: string) => `Pay ${amount}`,
  waiting: 'Waiting for your payment',
  timeLeft: 'Time left:',
  payBefore: (time: string) => `Pay before ${time}`,
  fewMinutesLeft: 'Less than five minutes left to pay.',
  detected: 'Payment detected',
  detectedWith: (progress: string) => `Payment detected: ${progress}`,
  confirmations: 'Confirmations',
  progress: (done: number, required: number) => `${done} of ${required} confirmations`,
  lastConfirmation: 'Waiting for final confirmation',
  aboutLeft: (time: string) => `about ${time} left`,
  receivedPayments: 'Received so far',
  closePage:
    'You can close this page. The order is marked as paid as soon as the network confirms the payment.',
  leftToPay: (amount: string) => `${amount} left to pay`,
  sendRest: (received: string) => `We received ${received}. Please send the rest to the same address.`,
  dustTitle: 'The remaining amount is too small to send',
  qrOfPayment: 'QR code of the payment',
  qrOfAddress: 'QR code of the address',
  cannotScan: 'Your wallet can’t scan this code?',
  onlyAddress: 'This code contains only the address.',
  showAddressOnly: 'Show the address only',
  includeAmount: 'Include the amount',
  openWallet: 'Open in wallet',
  walletClosed: 'Nothing opened? Copy the amount and the address into your wallet.',
  // The wallets that are installed in the browser. {wallet} is replaced with the name of one.
  browserWallet: {
    pay: 'Pay with {wallet}',
    open: 'Confirm the payment in your wallet.',
    sent: 'Sent. This page changes when the payment is detected.',
    again: 'Send again with {wallet}?',
    twice: 'Send again only if your wallet says that the first payment failed.',
    rejected: 'You didn’t confirm the payment. Nothing was sent.',
    chain: 'Your wallet doesn’t know this network. Add it in the wallet, then try again.',
    failed:
      'Your wallet couldn’t send the payment. Check its balance, or pay with the QR code or the address.',
  },
  sendTestCoins: 'Send test coins',
  sendOnly: (coin: string, network: string) => `Send only ${coin} on the ${network} network.`,
  otherCoins: 'Other coins, or coins sent on other networks, may not count for this order and can be lost.',
  exactAmount: 'Send exactly this amount, in one transaction.',
  exactAmountReason:
    'We identify your payment by its amount. If you pay from an exchange, add its withdrawal fee, so that ' +
    'exactly this amount arrives.',
  exchangeFee: 'Paying from an exchange? Add its withdrawal fee, so that exactly this amount arrives.',
  amountLeft: 'Left to pay',
  amountDue: 'Send exactly',
  toAddress: (network: string) => `To this ${network} address`,
  rate: 'Rate',
  theAmount: 'the amount',
  theAddress: 'the address',
  nothingFound: (network: string) => `No payment detected on ${network} yet.`,
  nothingMore: 'Nothing more has arrived.',
  restMissing: 'The rest hasn’t arrived yet.',
  unconfirmed: 'The payment isn’t confirmed yet.',
  lapsed: 'The time to pay has run out',
  partOf: (received: string, due: string) => `${received} of ${due}`,
  maybePaid:
    'Did you just pay? Your payment will still be detected; you can close this page. Otherwise, get a new ' +
    'price.',
  newPrice: (coin: string) => `Get a new ${coin} price`,
  notCovered: 'We haven’t received the full amount yet. If you have just paid, check again in a few minutes.',
  elsewhere: {
    ask: 'I sent it on another network',
    looking: (networks: string) => `We’re looking at ${networks} now.`,
    found: (coins: string) => `We found ${coins}.`,
    nothing: (networks: string, time: string) => `We looked at ${networks} at ${time} and found nothing.`,
    unreachable: (networks: string) =>
      `We couldn’t reach ${networks}. We’ll keep trying, and nothing that you sent is lost.`,
  },
  /** another payment took the place of the one that the page showed */
  turnedTo: (coin: string) =>
    `A newer payment was started in another window: ${coin}. This page shows it now. If you have already ` +
    'paid, your payment will still be detected.',
}
