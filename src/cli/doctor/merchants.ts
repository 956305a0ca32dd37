import { registry } from '../../coins/registry.ts'
import { setUpKinds } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { Webhook } from '../../domain/webhook.ts'
import { diagnosePayouts } from '../../operations/addresses/diagnose-payouts.ts'
import type { MerchantState } from '../../operations/overview/diagnose.ts'
import type { WebhookHealth } from '../../operations/webhooks/health.ts'
import { endpointKeyOf } from '../../settings/endpoints.ts'
import type { Settings } from '../../settings/table.ts'
import { type Check, type Finding, fault, good, orGood, warning } from './finding.ts'
import { networksFor } from './upstreams.ts'

const FAILURES_MIN = 3

type MerchantCheck = (check: string, state: MerchantState, settings: Settings) => Finding | Finding[] | null

/** The name of a webhook in findings. The first webhook has no name; others are known by their host. */
const nameOf = ({ isFirst, url }: Webhook): string => (isFirst ? 'webhook' : `${new URL(url).host} webhook`)

/** The findings about one webhook of a merchant. */
function webhookFindings(check: string, { id }: Merchant, { webhook, givenUp }: WebhookHealth): Finding[] {
  const { status, failingSince, failures, url } = webhook
  const name = nameOf(webhook)
  const event = givenUp === 1 ? 'One event' : `${givenUp} events`
  const lost =
    givenUp > 0 &&
    fault(
      check,
      `${event} could not be delivered to its ${name} in 3 days, so your shop does not know of ` +
        `${givenUp === 1 ? 'it' : 'them'}.`,
      `Fix the webhook, then run florin event redeliver --merchant ${id} --failed.`,
    )
  const disabled =
    status === 'disabled' &&
    fault(
      check,
      `Its ${name} was disabled after 5 days of failed deliveries.`,
      webhook.isFirst
        ? 'Fix the server at its URL, then run florin webhook set URL --merchant ID with the same URL.'
        : 'Fix the server at its URL, then send a test event on its page in the dashboard.',
    )
  const failing =
    status === 'active' &&
    failingSince !== null &&
    failures >= FAILURES_MIN &&
    warning(
      check,
      `${failures} ${name} deliveries failed since ${formatTimestamp(failingSince)}.`,
      `Make ${new URL(url).host} respond with status 200. Waiting events are sent automatically.`,
    )
  return [lost, disabled, failing].filter(finding => finding !== false)
}

/**
 * True if the payout wallet alone makes no addresses for the network, although one of its chains is watched.
 */
function needsSource(network: WalletNetwork, settings: Settings): boolean {
  const isWatched = registry.chains.some(
    chain => chain.wallet.network === network && settings[endpointKeyOf(chain)].length > 0,
  )
  const withoutSetUp = registry.wallet(network).sources.filter(kind => !setUpKinds.some(one => one === kind))
  return isWatched && withoutSetUp.every(kind => kind === 'shared' && !settings.sharedAddress)
}

/** The checks that run for every merchant. */
const merchantChecks: MerchantCheck[] = [
  (check, { networks, setUp }) =>
    networks.length + setUp.length > 0
      ? null
      : warning(
          check,
          'It has no payout wallet and no other source of addresses, so it cannot receive payments.',
          'Run: florin wallet set ADDRESS --merchant ID --network NETWORK',
        ),
  (check, { networks, setUp, merchant }, settings) => {
    const bare = networks.filter(network => needsSource(network, settings) && !setUp.includes(network))
    if (bare.length === 0) return null
    const message = `No payment addresses can be made for ${bare.join(', ')}, so buyers cannot pay with them.`
    return warning(
      check,
      message,
      `Add a source: see florin wallet --help, and florin wallet sources --merchant ${merchant.id}.`,
    )
  },
  (check, { webhooks, merchant }) => webhooks.flatMap(one => webhookFindings(check, merchant, one)),
  (check, { unmatched, merchant }) =>
    unmatched > 0
      ? warning(
          check,
          unmatched === 1
            ? 'One payment did not complete an order.'
            : `${unmatched} payments did not complete an order.`,
          `Run florin unmatched list --merchant ${merchant.id}. ` +
            'Refund or account for each one, then run florin unmatched resolve ID.',
        )
      : null,
]

export const merchants: Check = ({ rows, settings }) => {
  if (!rows) return []
  const remedy = 'Run: florin merchant create --email EMAIL --name NAME'
  if (rows.merchants.length === 0) return [warning('merchants', 'There are no merchants yet.', remedy)]
  return rows.merchants.flatMap(state => {
    if (state.merchant.status === 'suspended') return []
    const check = `merchant ${state.merchant.name}`
    return orGood(
      check,
      merchantChecks.flatMap(run => run(check, state, settings) ?? []),
    )
  })
}

const REMEDY =
  'Deploy the contract on that chain, set another wallet with PUT /v1/wallet, ' +
  'or remove the endpoints of the chain.'

/** Asks each chain about the payout wallets. Endpoints that do not answer have their own check. */
export const payoutWallets: Check = async context => {
  const { settings, platform, rows } = context
  const known = settings.sandbox ? null : networksFor(context)
  if (!known || !rows) return []
  const diagnosis = { networks: known, clock: platform.now, log: platform.log }
  const active = rows.merchants.filter(({ merchant }) => merchant.status !== 'suspended')
  const found = await Promise.all(
    active.map(async ({ merchant, payouts }): Promise<Finding[]> => {
      const check = `payout wallets of ${merchant.name}`
      const { asked, sentences } = await diagnosePayouts(diagnosis, payouts)
      if (sentences.length > 0) return sentences.map(sentence => warning(check, sentence, REMEDY))
      return asked > 0 ? [good(check)] : []
    }),
  )
  return found.flat()
}
