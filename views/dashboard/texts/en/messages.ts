import { plural } from '../../../texts/plural.ts'

interface Sum {
  arrived: string
  due: string
}

interface Unmatched {
  reason: 'wrong_asset' | 'underpaid' | 'late' | 'second_payment' | 'order_closed' | 'too_late'
  sum: string
  value: string | null
  missing: { amount: string; of: string } | null
  choice: 'accept' | 'force' | 'none'
}

interface PayoutProblem {
  chain: string
  isCoinOnly: boolean
  /** the chains on which the wallet is a contract that does not exist here */
  deployedOn: readonly string[]
  reason: string
}

interface WalletChange {
  network: string
  from: string | null
  to: string | null
}

const reasons: Record<Unmatched['reason'], string> = {
  wrong_asset: 'A payment arrived in a different asset than the order asked for',
  underpaid: 'A payment arrived that is too small for its order',
  late: 'A payment arrived after its locked amount had expired, and did not pay its order',
  second_payment: 'A payment arrived for an order that is already paid',
  order_closed: 'A payment arrived for an order that can no longer be paid',
  too_late: 'A payment arrived too late to be matched with its order',
}

const choices: Record<Unmatched['choice'], string> = {
  accept: 'Accept it as payment, or return it to the buyer.',
  force: 'Return it to the buyer, or mark the order as paid.',
  none: 'Decide whether to return it to the buyer.',
}

const refundAddress = {
  title: 'A buyer left a refund address',
  text: ({ sum, address }: { sum: string; address: string }) =>
    `The buyer left a refund address for ${sum}: ${address}.`,
  advice:
    'Ask the buyer before you send money: everybody who has the link of the checkout page can leave ' +
    'an address.',
}

function problemText({ chain, isCoinOnly, deployedOn, reason }: PayoutProblem): string {
  const others = new Intl.ListFormat('en', { type: 'disjunction' }).format(deployedOn)
  const why =
    deployedOn.length === 0
      ? reason
      : `the payout wallet is a contract on ${others} and does not exist on ${chain}`
  return `${isCoinOnly ? `The coin of ${chain}` : chain} is not offered: ${why}.`
}

const addressesLeft = (free: number): string =>
  free === 0
    ? 'No addresses are'
    : plural('en', free, { one: 'Only 1 address is', other: `Only ${free} addresses are` })

const morePoolAddresses = 'Add more under Wallets.'

/** What notifications say. A title that is empty is the beginning of the text. */
export const messages = {
  several: (count: number) => `${count} notifications`,
  more: (count: number) => `… and ${count} more.`,
  order: (id: string) => `Order ${id}`,
  dashboard: (url: string) => `In the dashboard: ${url}`,
  /** who did something */
  by: {
    cli: 'a command on the server',
    key: (id: string) => `the API key ${id}`,
    user: 'a person in the dashboard',
  },
  payment_unmatched: {
    title: 'A payment did not pay its order',
    text: ({ reason, sum, value, missing }: Unmatched) => {
      const worth = value === null ? '' : `, worth ${value}`
      const lacking = missing === null ? '' : ` ${missing.amount} of ${missing.of} is missing.`
      return `${reasons[reason]}: ${sum}${worth}.${lacking}`
    },
    advice: ({ choice }: Unmatched) => choices[choice],
  },
  refund_address: refundAddress,
  refund_address_over: refundAddress,
  payment_gone: {
    title: '',
    text: ({ txId }: { txId: string }) => `A payment left its chain: ${txId} no longer pays this order.`,
    advice: 'Check before you ship.',
  },
  payment_back: {
    title: '',
    text: ({ txId }: { txId: string }) => `A payment is back on its chain: ${txId} pays this order again.`,
    advice: '',
  },
  settled_late: {
    title: 'An order was paid late',
    text: ({ arrived, due, value }: Sum & { value: string | null }) => {
      const late =
        value === null
          ? 'This order was paid after it had expired'
          : 'This order was paid after its locked amount had expired, ' +
            `by payments worth ${value} when they arrived`
      return `${late}: ${arrived} arrived, ${due} was due.`
    },
    advice: '',
  },
  settled_short: {
    title: 'An order was settled short',
    text: ({ arrived, due, missing }: Sum & { missing: string }) =>
      `This order was settled short: ${arrived} arrived, ${due} was due. ${missing} is missing.`,
    advice: '',
  },
  settled_over: {
    title: 'A buyer paid too much',
    text: ({ arrived, due }: Sum) => `The buyer paid too much: ${arrived} arrived, ${due} was due.`,
    advice: ({ extra }: { extra: string }) => `Decide whether to return ${extra}.`,
  },
  refund_recorded: {
    title: 'A refund was recorded',
    text: ({ amount }: { amount: string }) => `Refund recorded: ${amount}.`,
    advice: '',
  },
  refund_refused: {
    title: 'A refund failed',
    text: ({ amount }: { amount: string }) => `The provider refused the refund of ${amount}.`,
    advice: 'Pay it back in another way.',
  },
  skipped_payment: {
    title: 'Money arrived for a lost order',
    text: (found: { address: string; amount: string; assetId: string; isMore: boolean }) => {
      const { address, amount, assetId, isMore } = found
      return (
        `${isMore ? 'More money' : 'Money'} arrived for an order that was lost when the database ` +
        'was restored: ' +
        `${address} has ${isMore ? 'now ' : ''}received ${amount} (${assetId}).`
      )
    },
    advice:
      'Look for the payment in your wallet, ask your buyers whose it is, and refund it or deliver ' +
      'the order. ' +
      'Then mark it as resolved.',
  },
  webhook_failing: {
    title: '',
    text: ({ host, since, failures }: { host: string; since: string; failures: number }) =>
      `Your webhook is failing: no event could be delivered to ${host} since ${since} (${plural(
        'en',
        failures,
        {
          one: '1 failure',
          other: `${failures} failures`,
        },
      )}).`,
    advice: 'Make it answer with status 200; waiting events are then sent.',
  },
  webhook_works: {
    title: '',
    text: ({ host }: { host: string }) =>
      `Your webhook works again: ${host} accepted an event. Everything that waits is sent now.`,
    advice: '',
  },
  webhook_disabled: {
    title: 'Your webhook was disabled',
    text: ({ host }: { host: string }) =>
      `Your webhook was disabled: no event could be delivered to ${host} for 5 days. It is tried once a day.`,
    advice: 'Fix it, then set its URL again to send everything that waits.',
  },
  webhook_changed: {
    title: 'The webhook was changed',
    text: (change: { by: string; events: readonly string[]; url: string; formerUrl: string | null }) => {
      const { by, events, url, formerUrl } = change
      const from = formerUrl === null ? '' : ` instead of ${formerUrl}`
      return `The webhook was changed by ${by}: ${events.join(', ')} to ${url}${from}.`
    },
    advice: '',
  },
  event_given_up: {
    title: 'An event could not be delivered',
    text: ({ tries }: { tries: number }) =>
      `The order.paid event of this order could not be delivered in ${tries} tries over 3 days.`,
    advice: 'It is sent when your webhook works again, or when you send it again.',
  },
  key_created: {
    title: 'An API key was created',
    text: (made: { by: string; mode: string; keyId: string; scopes: readonly string[] }) =>
      `A ${made.mode} API key was created by ${made.by}: ${made.keyId}. Scopes: ${made.scopes.join(', ')}.`,
    advice: '',
  },
  wallets_changed: {
    title: 'A payout wallet was changed',
    text: ({ by, changes }: { by: string; changes: readonly WalletChange[] }) => {
      const all = changes.map(
        ({ network, from, to }) => `${network} from ${from ?? 'none'} to ${to ?? 'none'}`,
      )
      return `Payout wallets were changed by ${by}: ${all.join('; ')}.`
    },
    advice: 'If nobody of yours did this, set them again, and revoke the API key if one was used.',
  },
  source_changed: {
    title: 'A payout wallet was changed',
    text: (change: { by: string; network: string; source: string; isUsed: boolean }) => {
      const { by, network, source, isUsed } = change
      const used = isUsed ? 'is now' : 'is no longer'
      return `A source of payment addresses of ${network} (${source}) ${used} used, by ${by}.`
    },
    advice: 'If nobody of yours did this, set it again, and change your password.',
  },
  payout_unusable: {
    title: '',
    text: ({ address, problems }: { address: string; problems: readonly PayoutProblem[] }) =>
      `The payout wallet ${address} cannot take all payments. ${problems.map(problemText).join(' ')}`,
    advice: '',
  },
  payout_usable: {
    title: '',
    text: ({ address, chains }: { address: string; chains: readonly string[] }) =>
      `The payout wallet ${address} takes payments on ${chains.join(', ')} again.`,
    advice: '',
  },
  pool_changed: {
    title: 'A list of addresses was changed',
    text: ({
      by,
      network,
      count,
      isAdded,
    }: {
      by: string
      network: string
      count: number
      isAdded: boolean
    }) =>
      `${count === 1 ? '1 address was' : `${count} addresses were`} ${
        isAdded ? 'added to' : 'taken out of'
      } the pool of ${network} by ${by}.`,
    advice: ({ isAdded }: { isAdded: boolean }) =>
      `If nobody of yours did this, ${
        isAdded ? 'take them out' : 'add them again'
      }, and change your password.`,
  },
  pool_low: {
    title: '',
    text: ({ network, free }: { network: string; free: number }) =>
      `${addressesLeft(free)} left in the pool of ${network}.`,
    advice: morePoolAddresses,
  },
  pool_refilled: {
    title: '',
    text: ({ network, free }: { network: string; free: number }) =>
      `The pool of ${network} has addresses again: ${free === 1 ? '1 is left' : `${free} are left`}.`,
    advice: ({ isLow }: { isLow: boolean }) => (isLow ? morePoolAddresses : ''),
  },
  gap_limit_low: {
    title: '',
    text: ({ network, unpaid }: { network: string; unpaid: number }) =>
      `Your wallet may not show new payments: the last ${unpaid} addresses of ${network} were never paid.`,
    advice: ({ gapLimit, isOver }: { gapLimit: number; isOver: boolean }) =>
      `Set its gap limit to at least ${gapLimit}.${
        isOver
          ? ' No more addresses are given to buyers until one of them is paid, or ' +
            'FLORIN_UNPAID_ADDRESSES is raised.'
          : ''
      }`,
  },
  gap_limit_good: {
    title: '',
    text: ({ network, unpaid }: { network: string; unpaid: number }) =>
      `New addresses of ${network} are paid again: one was paid after ${unpaid} that were not.`,
    advice: ({ gapLimit }: { gapLimit: number }) =>
      `If your wallet does not show this payment, set its gap limit to at least ${gapLimit}.`,
  },
}
