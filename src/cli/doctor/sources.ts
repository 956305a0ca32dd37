import { SKIPPED_WATCH_MS } from '../../domain/skipped-payment.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { gapLimitFor } from '../../domain/unpaid-run.ts'
import type { SourceState } from '../../operations/overview/diagnose.ts'
import { type Check, type Finding, fault, warning } from './finding.ts'

/** Gap limit of most wallets. */
const USUAL_GAP = 20

function poolFinding(check: string, { network, free }: SourceState, merchantId: string): Finding | null {
  if (free !== 0) return null
  const remedy = `Add addresses with florin wallet pool --merchant ${merchantId} --network ${network} FILE.`
  return fault(check, `The pool of ${network} has no addresses left.`, remedy)
}

function accountFinding(check: string, { network, run }: SourceState, max: number): Finding | null {
  const unpaid = `The last ${run.count} addresses of ${network} were never paid`
  const gap = `Set the gap limit of the wallet to at least ${gapLimitFor(run)}`
  if (run.count >= max) {
    const message = `${unpaid}, so no more are given to buyers until one of them is paid.`
    return fault(check, message, `${gap}, then raise FLORIN_UNPAID_ADDRESSES.`)
  }
  if (run.gap < USUAL_GAP) return null
  return warning(check, `${unpaid}. A wallet may not show the next payment.`, `${gap}.`)
}

/** Reports addresses that a restore skipped. Not every endpoint can look for payments there. */
export const skippedAddresses: Check = ({ rows, platform }) =>
  (rows?.merchants ?? []).flatMap(({ merchant, sources }) =>
    sources.flatMap(({ network, skipped }) => {
      if (skipped === null || platform.now() - skipped.at > SKIPPED_WATCH_MS) return []
      const date = formatTimestamp(skipped.at)
      const message = `A restore skipped ${skipped.count} addresses of ${network} at ${date}.`
      const list = `florin wallet skipped --merchant ${merchant.id} lists them`
      const remedy =
        network === 'xmr'
          ? `Florin cannot look for payments there. Look in your wallet: ${list}.`
          : 'The server looks for payments there for 30 days and notifies you. If your endpoint is ' +
            `Bitcoin Core, look in your wallet: ${list}.`
      return [warning(`addresses of ${merchant.name}`, message, remedy)]
    }),
  )

/** Reports address sources that are used up, or whose wallet may not see the next payment. */
export const addressSources: Check = ({ rows, settings }) => {
  const active = (rows?.merchants ?? []).filter(({ merchant }) => merchant.status !== 'suspended')
  return active.flatMap(({ merchant, sources }) => {
    const check = `addresses of ${merchant.name}`
    return sources.flatMap(
      source =>
        (source.kind === 'pool'
          ? poolFinding(check, source, merchant.id)
          : accountFinding(check, source, settings.unpaidAddressesMax)) ?? [],
    )
  })
}
