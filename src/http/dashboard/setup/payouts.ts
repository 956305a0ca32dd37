import { guidePayoutsBody } from '../../../../views/dashboard/guide-payouts.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import { optional } from '../fields.ts'
import { page, type Route } from '../kit.ts'
import { guideOf, stepUrl } from './guide.ts'

/** The step that leads into the set-up of wallets, and to which it comes back. */
export const payoutsStep: Route = page({
  path: stepUrl('payouts'),
  access: 'owner',
  query: { saved: optional() },
  async show(visit) {
    const guide = await guideOf(visit, 'payouts')
    const states = await readPayouts(visit.context, visit.merchant)
    const rows = states.map(({ network, payoutAddress, sources, coins }) => ({
      network,
      coins: coins.map(({ asset }) => asset.name),
      isSet: payoutAddress !== null || sources.length > 0,
      payable: coins.filter(({ lacks }) => lacks.length === 0).map(({ asset }) => asset.name),
    }))
    return locale => ({
      title: locale.texts.setup.payouts.title,
      body: guidePayoutsBody(locale, guide, { rows, isSaved: visit.query.saved !== undefined }),
    })
  },
})
