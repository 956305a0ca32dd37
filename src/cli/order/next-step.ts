import type { ShownHistory } from '../../present/order-history.ts'

type Rule = (shown: ShownHistory) => string | null

const ASK =
  'Ask the buyer for the transaction ID, and compare the address and the network with the ones above. ' +
  'florin order list --tx HASH finds the order that a payment belongs to.'

const ASK_PROVIDER =
  "The provider reports no payment. Ask the buyer for the provider's receipt, and the provider for its " +
  'status.'

/** Names the endpoint that last reported no payment, and the time; empty if no attempt was checked. */
function checkedText(attempts: ShownHistory['attempts']): string {
  const checked = attempts.filter(({ checkedAt, checkedBy }) => checkedAt !== null && checkedBy !== null)
  const last = checked.toSorted((a, b) => String(a.checkedAt).localeCompare(String(b.checkedAt))).at(-1)
  return last ? `, as ${last.checkedBy} reported at ${last.checkedAt}` : ''
}

/** Advice about an order: the first rule that applies. */
const rules: Rule[] = [
  ({ unmatched, order }) => {
    const open = unmatched.filter(({ status }) => status === 'open')
    if (open.length === 0) return null
    const [count, each] = open.length === 1 ? ['One payment', 'it'] : [`${open.length} payments`, 'each']
    const sentence = `${count} did not pay this order, which is ${order.status}.`
    const ids = open.map(({ id }) => id).join(' ')
    const isPayable = order.status === 'UNPAID' || order.status === 'EXPIRED'
    const accept = isPayable
      ? ` To pay the order all the same: florin unmatched accept ${ids} --by NAME.`
      : ''
    return `${sentence}${accept} If you refund ${each}: florin unmatched resolve ID.`
  },
  ({ order, events }) => {
    if (order.status !== 'PAID') return null
    const event = events.find(({ type }) => type === 'order.paid')
    if (!event) return 'The order is paid.'
    if (event.status === 'delivered') return 'The order is paid, and your shop received its order.paid event.'
    return (
      'The order is paid, but your shop has not received its order.paid event. ' +
      'Check florin webhook test, then: ' +
      `florin event redeliver --merchant ${order.merchantId} ${event.id}`
    )
  },
  ({ attempts }) =>
    attempts.length > 0
      ? null
      : 'The buyer has not chosen a way to pay yet, so there is nothing to look for here.',
  ({ attempts }) => {
    const found = attempts.find(({ state }) => state === 'confirming')
    return found ? `A payment of ${found.received} ${found.assetId} was seen. It is being confirmed.` : null
  },
  ({ attempts, credited, left, order: { amount, currency } }) => {
    if (attempts.every(({ state }) => state !== 'underpaid')) return null
    return (
      `${credited} of ${amount} ${currency} arrived. ` +
      `The page asks the buyer for the rest, ${left.amount} ${currency}.`
    )
  },
  ({ payments }) => {
    const seen = payments.find(({ state }) => state === 'seen')
    return seen ? `A payment of ${seen.amount} ${seen.assetId} was seen. It is not confirmed yet.` : null
  },
  ({ order }) =>
    order.status === 'CANCELLED' ? 'The order was cancelled, so nothing can be paid to it.' : null,
  ({ attempts }) => {
    const isOnlyProvider = attempts.every(({ methodKey }) => methodKey !== 'crypto')
    return isOnlyProvider ? ASK_PROVIDER : `Nothing arrived for this order${checkedText(attempts)}. ${ASK}`
  },
]

export const nextStep = (shown: ShownHistory): string => {
  for (const rule of rules) {
    const sentence = rule(shown)
    if (sentence !== null) return sentence
  }
  return ''
}
