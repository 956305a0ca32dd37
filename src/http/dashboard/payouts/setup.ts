import { Elysia } from 'elysia'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { checkBody, setUpBody } from '../../../../views/dashboard/payout-setup.ts'
import type { PayoutCard } from '../../../../views/dashboard/payouts.ts'
import { scripts, setUpKinds } from '../../../domain/address-source.ts'
import type { WalletNetwork } from '../../../domain/asset.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { WalletFault } from '../../../domain/wallet-fault.ts'
import { stopSource } from '../../../operations/addresses/set-up-source.ts'
import { changeWallet } from '../../../operations/addresses/wallet.ts'
import {
  needsSource,
  type PayoutProposal,
  proposePayout,
  savePayout,
} from '../../../operations/payments/propose-payout.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import { requirePerson, requireProof, type ShopVisit, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { FormFields } from '../fields.ts'
import { renderPage, type Settable } from '../page.ts'
import { refusalOf } from '../problem.ts'
import { cardOf } from './cards.ts'
import { Drafts } from './drafts.ts'
import { faultText } from './fault-text.ts'
import { isSetup, NetworkParams, networkOf, ownerOf } from './network.ts'

const PATH = '/dashboard/payouts/:network'
const Params = NetworkParams
/** Enough for all who set a wallet up at once. */
const DRAFTS_MAX = 200

type Problem = NonNullable<Parameters<typeof setUpBody>[1]['problem']>

async function cardFor(
  { context, merchant }: ShopVisit,
  network: WalletNetwork,
): Promise<(locale: DashboardLocale) => PayoutCard> {
  const [state] = await readPayouts(context, merchant, network)
  if (!state) throw new Refusal('not_found')
  return cardOf(context, state)
}

/** What coins lack that an operator can choose: endpoints of their chains, and rates. */
function missingFor({ context }: DashboardDeps, { coins }: PayoutCard) {
  const names = new Map(context.upstreams.chains().map(({ chain, name }) => [chain, name]))
  const without = coins.filter(({ lacks }) => lacks.includes('endpoint'))
  const chains = [...Map.groupBy(without, ({ chain }) => chain)].map(([chain, some]) => ({
    chain,
    name: names.get(chain) ?? chain,
    coins: some.map(({ name }) => name),
  }))
  return { chains, unpriced: coins.flatMap(({ name, prices }) => (prices ? { name, prices } : [])) }
}

function problemOf(refusal: Refusal, network: WalletNetwork): Problem {
  if (refusal.reason?.kind === 'private_key_entered') return 'privateKey'
  if (refusal.code === 'conflict') return 'taken'
  return network === 'xmr' ? 'viewKey' : 'address'
}

/** What is wrong with what was entered, which is never repeated. */
const faultOf = ({ reason }: Refusal): WalletFault | null => (reason?.kind === 'wallet' ? reason.fault : null)

function acceptedBy(
  { context }: ShopVisit,
  network: WalletNetwork,
): 'address' | 'either' | 'account' | 'viewkey' {
  if (context.networks.acceptsSource(network, 'viewkey')) return 'viewkey'
  if (!context.networks.acceptsSource(network, 'xpub')) return 'address'
  return network === 'evm' ? 'either' : 'account'
}

const pagesOf = (deps: DashboardDeps) => ({
  async enter(
    request: Request,
    set: Settable,
    network: WalletNetwork,
    refused: { problem: Problem; fault: WalletFault | null } | null,
    isSetup: boolean,
  ): Promise<string> {
    const shop = await shopOf(deps.context, request)
    const cardIn = await cardFor(shop, network)
    if (refused) set.status = 400
    return renderPage(deps, request, set, locale => {
      const card = cardIn(locale)
      const fault = refused?.fault ?? null
      return {
        title: locale.texts.payouts.titleOf({ network: locale.texts.payouts.networks[network] }),
        body: setUpBody(locale, {
          card,
          missing: { ...missingFor(deps, card), mayChoose: shop.user.isOperator },
          accepts: acceptedBy(shop, network),
          problem: refused?.problem ?? null,
          detail: fault && faultText(locale, fault),
          scripts: fault?.kind === 'scriptUnknown' ? fault.scripts.split(', ') : [],
          hasPool: shop.context.networks.acceptsSource(network, 'pool'),
          isSetup,
          isChosen: new URL(request.url).searchParams.has('chosen'),
        }),
      }
    })
  },
  async compare(
    request: Request,
    set: Settable,
    shown: { draft: string; proposal: PayoutProposal; isUnchecked: boolean; isSetup: boolean },
  ): Promise<string> {
    const shop = await shopOf(deps.context, request)
    const { draft, proposal, isUnchecked, isSetup } = shown
    const { network } = proposal
    const cardIn = await cardFor(shop, network)
    const preview = proposal.kind === 'source' ? proposal.preview : null
    const mayNeedAccount = await needsSource(shop.context, proposal)
    if (isUnchecked) set.status = 400
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.payouts.titleOf({ network: locale.texts.payouts.networks[network] }),
      body: checkBody(locale, {
        card: cardIn(locale),
        draft,
        address: proposal.kind === 'address' ? proposal.address : null,
        first: preview?.first ?? [],
        warnings: preview?.warnings.map(fault => faultText(locale, fault)) ?? [],
        others: preview?.others ?? [],
        needsAccount: mayNeedAccount && cardIn(locale).sources.length === 0,
        isUnchecked,
        isSetup,
      }),
    }))
  },
})

/** What a form has: what was entered, or a draft of which another script is chosen. */
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

/** Sets up where the money of a network goes: enter, compare with the wallet, then save. */
export const payoutSetUpPages = (deps: DashboardDeps) => {
  const { context } = deps
  const isOwner = requirePerson(context, 'owner')
  const drafts = new Drafts<PayoutProposal>(context, DRAFTS_MAX)
  const pages = pagesOf(deps)
  return (
    new Elysia()
      .get(
        PATH,
        ({ params, query, request, set }) =>
          pages.enter(request, set, networkOf(params), null, isSetup(query)),
        {
          ...isOwner,
          params: Params,
        },
      )
      // Not requireProof: it would put what was entered, which may be a secret, into its page.
      .post(
        `${PATH}/check`,
        async ({ body, params, request, set }) => {
          const shop = await shopOf(context, request)
          const network = networkOf(params)
          const known = drafts.find(ownerOf(shop), body.draft)
          if (body.draft !== undefined && known?.network !== network)
            return pages.enter(request, set, network, { problem: 'expired', fault: null }, isSetup(body))
          const entered = enteredIn(body, network, known)
          const made: { proposal?: PayoutProposal } = {}
          const refusal = await refusalOf(async () => {
            made.proposal = await proposePayout(shop.context, shop.merchant.id, entered)
          })
          if (refusal || !made.proposal) {
            const problem = refusal ? problemOf(refusal, network) : 'address'
            const fault = refusal && faultOf(refusal)
            return pages.enter(request, set, network, { problem, fault }, isSetup(body))
          }
          const draft = drafts.keep(ownerOf(shop), made.proposal)
          return pages.compare(request, set, {
            draft,
            proposal: made.proposal,
            isUnchecked: false,
            isSetup: isSetup(body),
          })
        },
        { ...isOwner, params: Params, body: FormFields },
      )
      .use(savePage(deps, drafts))
      .use(removePage(deps))
  )
}

/** Saves what was compared with the wallet. */
const savePage = (deps: DashboardDeps, drafts: Drafts<PayoutProposal>) => {
  const pages = pagesOf(deps)
  return new Elysia().post(
    `${PATH}/save`,
    async ({ body, params, redirect, request, set }) => {
      const shop = await shopOf(deps.context, request)
      const network = networkOf(params)
      const draft = body.draft ?? ''
      const proposal = drafts.find(ownerOf(shop), draft)
      if (proposal?.network !== network)
        return pages.enter(request, set, network, { problem: 'expired', fault: null }, isSetup(body))
      if (body.compared !== 'yes')
        return pages.compare(request, set, { draft, proposal, isUnchecked: true, isSetup: isSetup(body) })
      const refusal = await refusalOf(() => savePayout(shop.context, shop.merchant.id, proposal))
      if (refusal)
        return pages.enter(
          request,
          set,
          network,
          { problem: problemOf(refusal, network), fault: faultOf(refusal) },
          isSetup(body),
        )
      drafts.forget(draft)
      return redirect(isSetup(body) ? '/dashboard/setup/payouts?saved' : '/dashboard/payouts?saved=set', 303)
    },
    { ...requireProof(deps, 'owner'), params: Params, body: FormFields },
  )
}

const removePage = (deps: DashboardDeps) =>
  new Elysia().post(
    `${PATH}/remove`,
    async ({ body, params, redirect, request }) => {
      const shop = await shopOf(deps.context, request)
      const network = networkOf(params)
      const kind = setUpKinds.find(name => name === body.what)
      if (kind) await stopSource(shop.context, shop.merchant.id, network, kind)
      else if (body.what === 'address')
        await changeWallet(shop.context, shop.merchant.id, { cryptoWallets: { [network]: '' } })
      else throw new Refusal('not_found')
      return redirect('/dashboard/payouts?saved=removed', 303)
    },
    { ...requireProof(deps, 'owner'), params: Params, body: FormFields },
  )
