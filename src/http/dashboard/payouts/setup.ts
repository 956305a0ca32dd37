import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { checkBody, setUpBody } from '../../../../views/dashboard/payout-setup.ts'
import type { PayoutCard } from '../../../../views/dashboard/payouts.ts'
import { scripts, setUpKinds } from '../../../domain/address-source.ts'
import type { WalletNetwork } from '../../../domain/asset.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type EnteredLightning, LIGHTNING, nodeKinds } from '../../../domain/lightning.ts'
import type { WalletFault } from '../../../domain/wallet-fault.ts'
import { stopLightning } from '../../../operations/addresses/lightning.ts'
import { stopSource } from '../../../operations/addresses/set-up-source.ts'
import { changeWallet } from '../../../operations/addresses/wallet.ts'
import {
  needsSource,
  type PayoutProposal,
  proposeNode,
  proposePayout,
  savePayout,
} from '../../../operations/payments/propose-payout.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import type { DashboardDeps } from '../deps.ts'
import { FormFields, optional } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import type { ShopVisit } from '../visit.ts'
import { Drafts } from './drafts.ts'
import { faultText } from './fault-text.ts'
import { cardOf } from './list.ts'
import { isSetup, networkOf, ownerOf } from './network.ts'

const PATH = '/dashboard/payouts/:network'
/** Max drafts in memory: enough for all people who set up a wallet at the same time. */
const DRAFTS_MAX = 200

/** The reason why nothing was saved. Values that were entered are never repeated. */
interface SetUpProblem {
  problem: NonNullable<Parameters<typeof setUpBody>[1]['problem']>
  fault: WalletFault | null
}

const expired: SetUpProblem = { problem: 'expired', fault: null }

function problemOf({ code, reason }: Refusal, network: WalletNetwork): SetUpProblem {
  const fault = reason?.kind === 'wallet' ? reason.fault : null
  if (fault?.kind.startsWith(LIGHTNING)) return { problem: LIGHTNING, fault }
  if (reason?.kind === 'private_key_entered') return { problem: 'privateKey', fault }
  if (code === 'conflict') return { problem: 'taken', fault }
  return { problem: network === 'xmr' ? 'viewKey' : 'address', fault }
}

async function cardFor(
  { context, merchant }: ShopVisit,
  network: WalletNetwork,
): Promise<(locale: DashboardLocale) => PayoutCard> {
  const [state] = await readPayouts(context, merchant, network)
  if (!state) throw new Refusal('not_found')
  return cardOf(context, state)
}

/** The endpoints of chains and the rates that coins lack, which an operator can choose. */
function missingFor({ context }: ShopVisit, { coins }: PayoutCard) {
  const names = new Map(context.upstreams.chains().map(({ chain, name }) => [chain, name]))
  const without = coins.filter(({ lacks }) => lacks.includes('endpoint'))
  const chains = [...Map.groupBy(without, ({ chain }) => chain)].map(([chain, some]) => ({
    chain,
    name: names.get(chain) ?? chain,
    coins: some.map(({ name }) => name),
  }))
  return { chains, unpriced: coins.flatMap(({ name, prices }) => (prices ? { name, prices } : [])) }
}

function acceptedBy(
  { context }: ShopVisit,
  network: WalletNetwork,
): 'address' | 'either' | 'account' | 'viewkey' | 'lightning' {
  if (context.networks.acceptsSource(network, 'viewkey')) return 'viewkey'
  if (!context.networks.acceptsSource(network, 'xpub')) return 'address'
  if (context.networks.assets.some(asset => asset.chain === LIGHTNING && asset.network === network))
    return LIGHTNING
  return network === 'evm' ? 'either' : 'account'
}

/** The page on which a person enters where the money of a network goes. */
async function showEntry(
  visit: ShopVisit,
  network: WalletNetwork,
  isSetup: boolean,
  refused: SetUpProblem | null = null,
): Promise<View> {
  const { context, request, user } = visit
  const cardIn = await cardFor(visit, network)
  const fault = refused?.fault ?? null
  return locale => {
    const card = cardIn(locale)
    return {
      title: locale.texts.payouts.titleOf({ network: locale.texts.payouts.networks[network] }),
      body: setUpBody(locale, {
        card,
        missing: { ...missingFor(visit, card), mayChoose: user.isOperator },
        accepts: acceptedBy(visit, network),
        problem: refused?.problem ?? null,
        detail: fault && faultText(locale, fault),
        scripts: fault?.kind === 'scriptUnknown' ? fault.scripts.split(', ') : [],
        hasPool: context.networks.acceptsSource(network, 'pool'),
        isSetup,
        isChosen: new URL(request.url).searchParams.has('chosen'),
      }),
      ...(refused && { status: 400 }),
    }
  }
}

/** Values that were entered, and wait to be compared with the wallet. */
interface Comparison {
  draft: string
  proposal: PayoutProposal
  isSetup: boolean
  /** true if a person tried to save the values without comparing them */
  isUnchecked?: boolean
}

async function showComparison(
  visit: ShopVisit,
  { draft, proposal, isSetup, isUnchecked = false }: Comparison,
): Promise<View> {
  const { network } = proposal
  const cardIn = await cardFor(visit, network)
  const preview = proposal.kind === 'source' ? proposal.preview : null
  const mayNeedAccount = await needsSource(visit.context, proposal)
  return locale => {
    const card = cardIn(locale)
    return {
      title: locale.texts.payouts.titleOf({ network: locale.texts.payouts.networks[network] }),
      body: checkBody(locale, {
        card,
        draft,
        address: proposal.kind === 'address' ? proposal.address : null,
        first: preview?.first ?? [],
        lightning: proposal.kind === 'lightning' ? proposal.tried.account : null,
        warnings: preview?.warnings.map(fault => faultText(locale, fault)) ?? [],
        others: preview?.others ?? [],
        needsAccount: mayNeedAccount && card.sources.length === 0,
        isUnchecked,
        isSetup,
      }),
      ...(isUnchecked && { status: 400 }),
    }
  }
}

/** The values of a form: the entered ones, or those of a draft for which another script was chosen. */
function enteredIn(body: Record<string, string>, network: WalletNetwork, known: PayoutProposal | null) {
  const key =
    known?.kind === 'source' && known.preview.source.kind === 'xpub' ? known.preview.source.key : null
  return {
    network,
    text: key ?? body.text ?? '',
    viewKey: body.viewKey ?? null,
    script: scripts.find(name => name === body.script) ?? null,
  }
}

/** The node that was entered; null if the form is not for a node. */
function nodeIn({ kind: name, url = '', store = '', secret = '', certificate = '' }: Record<string, string>) {
  const kind = nodeKinds.find(one => one === name)
  if (!kind) return null
  const node: EnteredLightning = {
    kind,
    url,
    store: store.trim(),
    secret,
    certificate: certificate.trim() || null,
  }
  return node
}

/**
 * The pages that set up where the money of a network goes. A person enters it, compares it with the wallet,
 * then saves it.
 */
export function payoutSetUpRoutes({ context }: DashboardDeps): readonly Route[] {
  const drafts = new Drafts<PayoutProposal>(context, DRAFTS_MAX)
  const entry = page({
    path: PATH,
    access: 'owner',
    query: { from: optional(10), chosen: optional() },
    show: visit => showEntry(visit, networkOf(visit.params), isSetup(visit.query)),
  })
  const check = form({
    path: `${PATH}/check`,
    // No proof is required: the page that asks for it would contain what was entered, which may be a secret.
    access: 'owner',
    fields: FormFields,
    async run(visit) {
      const { merchant, params, body } = visit
      const network = networkOf(params)
      const known = drafts.find(ownerOf(visit), body.draft)
      if (body.draft !== undefined && known?.network !== network) return null
      const node = nodeIn(body)
      const proposal = node
        ? await proposeNode(visit.context, merchant.id, network, node)
        : await proposePayout(visit.context, merchant.id, enteredIn(body, network, known))
      return { proposal, draft: drafts.keep(ownerOf(visit), proposal) }
    },
    done: (found, visit) =>
      found
        ? showComparison(visit, { ...found, isSetup: isSetup(visit.body) })
        : showEntry(visit, networkOf(visit.params), isSetup(visit.body), expired),
    refused(refusal, visit) {
      const network = networkOf(visit.params)
      return showEntry(visit, network, isSetup(visit.body), problemOf(refusal, network))
    },
  })
  const save = form({
    path: `${PATH}/save`,
    proof: 'owner',
    fields: FormFields,
    async run(visit) {
      const { context, merchant, params, body } = visit
      const { draft = '', compared } = body
      const found = drafts.find(ownerOf(visit), draft)
      const proposal = found?.network === networkOf(params) ? found : null
      const isSaved = proposal !== null && compared === 'yes'
      if (isSaved) {
        await savePayout(context, merchant.id, proposal)
        drafts.forget(draft)
      }
      return { draft, proposal, isSaved }
    },
    done({ draft, proposal, isSaved }, visit) {
      const isOfSetup = isSetup(visit.body)
      if (!proposal) return showEntry(visit, networkOf(visit.params), isOfSetup, expired)
      if (!isSaved) return showComparison(visit, { draft, proposal, isSetup: isOfSetup, isUnchecked: true })
      return isOfSetup ? '/dashboard/setup/payouts?saved' : '/dashboard/payouts?saved=set'
    },
    refused(refusal, visit) {
      const network = networkOf(visit.params)
      return showEntry(visit, network, isSetup(visit.body), problemOf(refusal, network))
    },
  })
  return [entry, check, save, removal]
}

const removal = form({
  path: `${PATH}/remove`,
  proof: 'owner',
  fields: FormFields,
  async run({ context, merchant, params, body: { what } }) {
    const network = networkOf(params)
    const kind = setUpKinds.find(name => name === what)
    if (what === LIGHTNING) await stopLightning(context, merchant.id)
    else if (kind) await stopSource(context, merchant.id, network, kind)
    else if (what === 'address')
      await changeWallet(context, merchant.id, { cryptoWallets: { [network]: '' } })
    else throw new Refusal('not_found')
  },
  done: '/dashboard/payouts?saved=removed',
})
