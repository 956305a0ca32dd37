import { plural } from '../../../texts/plural.ts'
import { chainName } from '../chain-names.ts'
import type { PayoutProblem, Sum, Unmatched, WalletChange } from '../message-facts.ts'
import { goneMessages } from './gone-messages.ts'
import { payouts } from './payouts.ts'

const reasons: Record<Unmatched['reason'], string> = {
  wrong_asset: 'A payment arrived in a different coin than the order asked for',
  underpaid: 'A payment arrived that is too small for its order',
  late: 'A payment arrived after its quoted amount had expired, and did not complete its order',
  second_payment: 'A payment arrived for an order that is already paid',
  order_closed: 'A payment arrived for an order that can no longer be paid',
  too_late: 'A payment arrived too late to be matched with its order',
}

const choices: Record<Unmatched['choice'], string> = {
  accept: 'Accept it as payment, or return it to the customer.',
  force: 'Return it to the customer, or mark the order as paid.',
  none: 'Decide whether to return it to the customer.',
}

const names: Record<string, string> = payouts.networks
const named = (network: string): string => names[network] ?? network

const sources: Record<string, string> = {
  xpub: 'an extended public key',
  viewkey: 'a view key',
  pool: 'an address list',
}

/** The name of the chain of a coin. */
const chainOf = (assetId: string): string => chainName(assetId.split('/')[0] ?? '')

const refundAddress = {
  title: 'A customer left a refund address',
  text: ({ sum, address }: { sum: string; address: string }) =>
    `The customer left a refund address for ${sum}: ${address}.`,
  advice:
    'Ask the customer before you send money: everybody who has the link of the checkout page can leave ' +
    'an address.',
}

function problemText({ chain: id, isCoinOnly, deployedOn, reason }: PayoutProblem): string {
  const chain = chainName(id)
  if (isCoinOnly) return `Customers cannot pay with the native coin of ${chain}: ${reason}.`
  if (deployedOn.length === 0) return `Customers cannot pay on ${chain}: ${reason}.`
  const others = new Intl.ListFormat('en', { type: 'disjunction' }).format(deployedOn.map(chainName))
  return (
    `Customers cannot pay on ${chain}: the wallet is a smart contract wallet (such as Safe) that exists on ` +
    `${others} but not on ${chain}. Deploy it there, or enter another wallet.`
  )
}

const addressesLeft = (free: number): string =>
  free === 0
    ? 'No addresses are'
    : plural('en', free, { one: 'Only 1 address is', other: `Only ${free} addresses are` })

const ifNotYou =
  'If nobody in your team made this change, restore the correct wallet under Wallets, change your ' +
  'password, revoke the API key if one was used, and check the audit log.'

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
  order_paid: {
    title: '',
    text: ({ amount, number }: { amount: string; number: string | null }) =>
      number === null ? `An order was paid: ${amount}.` : `Order ${number} was paid: ${amount}.`,
    advice: '',
  },
  payment_unmatched: {
    title: 'A payment did not complete its order',
    text: ({ reason, sum, value, missing }: Unmatched) => {
      const worth = value === null ? '' : `, worth ${value}`
      const lacking = missing === null ? '' : ` ${missing.amount} of ${missing.of} is missing.`
      return `${reasons[reason]}: ${sum}${worth}.${lacking}`
    },
    advice: ({ choice }: Unmatched) => choices[choice],
  },
  refund_address: refundAddress,
  refund_address_over: refundAddress,
  ...goneMessages,
  settled_late: {
    title: 'An order was paid late',
    text: ({ arrived, due, value }: Sum & { value: string | null }) => {
      const late =
        value === null
          ? 'This order was paid after it had expired'
          : 'This order was paid after its quoted amount had expired, ' +
            `by payments worth ${value} when they arrived`
      return `${late}: ${arrived} arrived, ${due} was due.`
    },
    advice: '',
  },
  settled_short: {
    title: 'An order was paid with slightly too little',
    text: ({ arrived, due, missing }: Sum & { missing: string }) =>
      `The order counts as paid: ${arrived} arrived, ${due} was due. ${missing} is missing, which is ` +
      'within the limit for underpayments.',
    advice: '',
  },
  settled_over: {
    title: 'A customer paid too much',
    text: ({ arrived, due }: Sum) => `The customer paid too much: ${arrived} arrived, ${due} was due.`,
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
  refund_unsent: {
    title: 'A refund failed',
    text: ({ amount }: { amount: string }) =>
      `The refund of ${amount} was not sent: the provider that took the payment is no longer set up.`,
    advice: 'Pay it back in another way.',
  },
  skipped_payment: {
    title: 'Money arrived for an order that is missing after a backup was restored',
    text: (found: { address: string; amount: string; assetId: string; isMore: boolean }) => {
      const { address, amount, assetId, isMore } = found
      return (
        `${isMore ? 'More money' : 'Money'} arrived for an order that is not in the restored backup: ` +
        `${amount} on ${chainOf(assetId)} ${isMore ? 'in total ' : ''}at ${address}.`
      )
    },
    advice:
      'Find the payment in your wallet, ask your customers whose it is, and refund it or deliver ' +
      'the order. Then mark it as resolved.',
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
    advice: 'Your website must respond with status 200. Waiting events are then sent.',
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
      `Your webhook was disabled: nothing could be delivered to ${host} for 5 days. Florin now tries ` +
      'it only once a day.',
    advice:
      'Fix the server at this URL, then send a test event or save the URL again. All waiting events ' +
      'are then sent.',
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
    advice:
      'Florin no longer retries by schedule. It sends the event once your webhook works again, or ' +
      'when you choose “Send again”.',
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
        ({ network, from, to }) => `${named(network)} from ${from ?? 'none'} to ${to ?? 'none'}`,
      )
      return `Payout wallets were changed by ${by}: ${all.join('; ')}.`
    },
    advice: ifNotYou,
  },
  source_changed: {
    title: 'The way customers get addresses was changed',
    text: (change: { by: string; network: string; source: string; isUsed: boolean }) => {
      const { by, network, source, isUsed } = change
      const what = `${sources[source] ?? source} is ${isUsed ? 'now' : 'no longer'} used`
      return `The way customers get addresses on ${named(network)} was changed by ${by}: ${what}.`
    },
    advice: ifNotYou,
  },
  payout_unusable: {
    title: '',
    text: ({ address, problems }: { address: string; problems: readonly PayoutProblem[] }) =>
      `Your wallet ${address} cannot take all payments. ${problems.map(problemText).join(' ')}`,
    advice: '',
  },
  payout_usable: {
    title: '',
    text: ({ address, chains }: { address: string; chains: readonly string[] }) =>
      `Your wallet ${address} takes payments on ${chains.map(chainName).join(', ')} again.`,
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
      } the address list of ${named(network)} by ${by}.`,
    advice: ({ isAdded }: { isAdded: boolean }) =>
      `If nobody in your team made this change, ${
        isAdded ? 'take the addresses out' : 'add the addresses again'
      } under Wallets, change your password, and check the audit log.`,
  },
  pool_low: {
    title: '',
    text: ({ network, free }: { network: string; free: number }) =>
      `${addressesLeft(free)} left in the address list of ${named(network)}.`,
    advice: morePoolAddresses,
  },
  pool_refilled: {
    title: '',
    text: ({ network, free }: { network: string; free: number }) =>
      `The address list of ${named(network)} has addresses again: ` +
      `${free === 1 ? '1 is left' : `${free} are left`}.`,
    advice: ({ isLow }: { isLow: boolean }) => (isLow ? morePoolAddresses : ''),
  },
  gap_limit_low: {
    title: '',
    text: ({ network, unpaid }: { network: string; unpaid: number }) =>
      'Your wallet may not show new payments: ' +
      `the last ${unpaid} addresses of ${named(network)} were never paid.`,
    advice: ({ gapLimit, isOver }: { gapLimit: number; isOver: boolean }) =>
      'Set its gap limit (how many unused addresses in a row it looks through) to at least ' +
      `${gapLimit}.${
        isOver
          ? ' Customers get no more addresses until one of these is paid, or the operator of this server ' +
            'raises FLORIN_UNPAID_ADDRESSES.'
          : ''
      }`,
  },
  gap_limit_good: {
    title: '',
    text: ({ network, unpaid }: { network: string; unpaid: number }) =>
      `New addresses of ${named(network)} are paid again: one was paid after ${unpaid} that were not.`,
    advice: ({ gapLimit }: { gapLimit: number }) =>
      `If your wallet does not show this payment, set its gap limit to at least ${gapLimit}.`,
  },
}
