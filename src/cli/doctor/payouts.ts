import { diagnosePayouts } from '../../operations/addresses/diagnose-payouts.ts'
import { type Check, type Finding, good, warning } from './finding.ts'
import { networksFor } from './networks.ts'

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
