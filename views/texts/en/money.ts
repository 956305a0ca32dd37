/** What an order has received, what is left to pay, and what cannot be seen now. Amounts come formatted. */
export const money = {
  received: (received: string, total: string, left: string) =>
    `Received ${received} of ${total} · ${left} left`,
  receivedAll: (received: string, total: string) => `Received ${received} of ${total}`,
  awaiting: (amount: string, shop: string) =>
    `${amount} is waiting for ${shop} to accept it. Don’t send anything more for now.`,
  awaitingUnknown: (shop: string) =>
    `A payment is waiting for ${shop} to accept it. Don’t send anything more for now.`,
  tooSmall: (left: string) =>
    `The remaining ${left} is too little to send. The shop has been notified; you don’t need to send ` +
    `anything more.`,
  others: 'Other payments you started',
  continueWith: (name: string) => `Continue with ${name}`,
  part: (received: string) => `${received} received`,
  vanished: (amount: string) =>
    `The network no longer shows your payment of ${amount}. Check it in your wallet before you send again.`,
  blind: (network: string, time: string) =>
    `We can’t reach the ${network} network right now. We last checked it at ${time}.`,
  blindAdvice:
    'If you have already paid, your payment isn’t lost. Don’t pay again: we’ll find it as soon as we ' +
    'can reach the network.',
}
