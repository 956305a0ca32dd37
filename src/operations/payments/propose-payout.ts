import type { Script } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { type EnteredLightning, LIGHTNING } from '../../domain/lightning.ts'
import { readPasted } from '../../domain/pasted-wallet.ts'
import { walletRefusal } from '../../domain/wallet-refusal.ts'
import type { TriedAccount } from '../../networks/port.ts'
import { looksLikeLightning, setUpLightning, tryLightning } from '../addresses/lightning.ts'
import {
  previewAccount,
  previewViewKey,
  type SourcePreview,
  setUpSource,
} from '../addresses/set-up-source.ts'
import { checkPayoutAddress } from '../addresses/steps/check-payout.ts'
import { isSetUp } from '../addresses/steps/load-sources.ts'
import type { PayoutContext } from '../addresses/steps/payout-checks.ts'
import { changeWallet } from '../addresses/wallet.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { CatalogueContext } from '../upstreams/steps/catalogue.ts'
import { fetchForwardedCoins } from './steps/choose-route.ts'

/** The payout that was entered for a network. */
interface EnteredPayout {
  network: WalletNetwork
  /** an address, or an account's extended public key */
  text: string
  /** Monero only: the private view key */
  viewKey: string | null
  /** null to take the script from the key */
  script: Script | null
}

/**
 * A proposal that can be saved: a payout wallet in its canonical spelling, a source with its first addresses,
 * or a Lightning account that was tested.
 */
export type PayoutProposal =
  | { kind: 'address'; network: WalletNetwork; address: string }
  | { kind: 'source'; network: WalletNetwork; preview: SourcePreview }
  | { kind: 'lightning'; network: WalletNetwork; tried: TriedAccount }

type ProposalContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'networks'>

/**
 * The network by whose rules a text is checked for private keys. Monero's rules do not fit, because its view
 * key looks like a private key; by those of this network, no address looks like one.
 */
const ANY_NETWORK: WalletNetwork = 'btc'

/**
 * Checks what was entered, and saves nothing. A private key or a seed phrase is refused with the reason
 * `private_key_entered`, also in the wrong field or for another network.
 */
export async function proposePayout(
  context: ProposalContext,
  merchantId: string,
  { network, text: entered, viewKey, script }: EnteredPayout,
): Promise<PayoutProposal> {
  const { networks } = context
  const { text } = readPasted(entered)
  for (const form of [entered.trim(), text]) refusePrivateKeys(context, network, form, viewKey)
  if (text === '') throw invalid('text', 'is required')
  if (networks.acceptsSource(network, 'viewkey')) {
    if (!viewKey) throw walletRefusal('viewKey', { kind: 'viewKeyMissing' })
    const preview = await previewViewKey(context, merchantId, text, viewKey)
    return { kind: 'source', network, preview }
  }
  const hasLightning = networks.assets.some(asset => asset.chain === LIGHTNING && asset.network === network)
  if (hasLightning && looksLikeLightning(text)) {
    return {
      kind: 'lightning',
      network,
      tried: await tryLightning(context, merchantId, { kind: 'address', text }),
    }
  }
  const isKey = networks.acceptsSource(network, 'xpub') && !networks.isAddress(network, text)
  if (isKey && looksLikeKey(text)) {
    return {
      kind: 'source',
      network,
      preview: await previewAccount(context, merchantId, network, entered, script),
    }
  }
  checkPayoutAddress(context, network, text, 'text')
  return { kind: 'address', network, address: networks.canonical(network, text) }
}

/** Tries a Lightning node that was entered for the network whose coin it receives. */
export async function proposeNode(
  context: ProposalContext,
  merchantId: string,
  network: WalletNetwork,
  entered: EnteredLightning,
): Promise<PayoutProposal> {
  return { kind: 'lightning', network, tried: await tryLightning(context, merchantId, entered) }
}

/** True for a text longer than every address, and as long as an account key with some letters missing. */
const looksLikeKey = (text: string): boolean => /^\S{95,130}$/.test(text)

function refusePrivateKeys(
  { networks }: Pick<Context, 'networks'>,
  network: WalletNetwork,
  text: string,
  viewKey: string | null,
): void {
  const isPrivate =
    networks.privateKeyWarning(ANY_NETWORK, text) !== null ||
    (viewKey !== null && networks.privateKeyWarning(network, viewKey.trim()) !== null)
  if (!isPrivate) return
  // The message must not repeat what was entered.
  const message = 'This looks like a private key or a seed phrase. Enter nothing that can spend.'
  throw new Refusal('validation_error', message, { reason: { kind: 'private_key_entered' } })
}

/**
 * True if a payout wallet alone would make no address for any payment, so that another source is needed. The
 * wallet is enough if a provider forwards a coin of the network, or may do so when it answers again.
 */
export async function needsSource(
  context: CatalogueContext & Pick<Context, 'networks' | 'policy' | 'providers'>,
  proposal: PayoutProposal,
): Promise<boolean> {
  if (proposal.kind !== 'address') return false
  const { networks, policy } = context
  const assets = networks.assets.filter(
    ({ network, chain }) => network === proposal.network && chain !== LIGHTNING,
  )
  const kinds = assets.flatMap(asset => networks.sourceKinds(asset, proposal.address))
  if (kinds.some(kind => !isSetUp(kind) && (kind !== 'shared' || policy.sharedAddress))) return false
  const { providers, isUnavailable } = await fetchForwardedCoins(context)
  return !isUnavailable && !providers.some(({ coins }) => assets.some(({ id }) => coins.has(id)))
}

/** Saves a proposal as the command line does, with the same audit and notifications. */
export async function savePayout(
  context: AuditContext & PayoutContext & Pick<Context, 'secrets'>,
  merchantId: string,
  proposal: PayoutProposal,
): Promise<void> {
  if (proposal.kind === 'source') await setUpSource(context, proposal.preview)
  else if (proposal.kind === 'lightning') await setUpLightning(context, merchantId, proposal.tried)
  else await changeWallet(context, merchantId, { cryptoWallets: { [proposal.network]: proposal.address } })
}
