import { networksOf } from '../../boot/networks.ts'
import { diagnosePayouts } from '../../operations/addresses/diagnose-payouts.ts'
import { SettingsError } from '../../settings/read.ts'
import { type Check, type DoctorContext, type Finding, good, warning } from './finding.ts'

const REMEDY =
  'Deploy the contract on that chain, set another wallet with PUT /v1/wallet, ' +
  'or remove the endpoints of the chain.'

function networks({ settings, platform }: DoctorContext) {
  try {
    return networksOf(settings, platform, platform.now, null)
  } catch (error) {
    // An assets file that is wrong has its own check.
    if (error instanceof SettingsError) return null
    throw error
  }
}

/** Asks each chain about the payout wallets. Endpoints that do not answer have a check of their own. */
export const payoutWallets: Check = async context => {
  const { settings, platform, rows } = context
  const known = settings.sandbox ? null : networks(context)
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
