import { type Asset, chainOf } from '../../domain/asset.ts'
import { asserted } from '../../domain/errors.ts'
import { payoutProblemOf, payoutProblems } from '../../domain/payout-check.ts'
import { NetworkError, type Networks } from '../../networks/port.ts'
import type { Context } from '../context.ts'
import type { Forwarder } from './recovery-export.ts'

/** A chain, and forwarders with a balance on it that were allocated for another chain. */
interface HeldOn {
  asset: Asset
  own: Forwarder[]
}

interface HeldElsewhere {
  found: HeldOn[]
  faults: { chain: string; message: string }[]
}

/** One asset of each chain whose addresses also exist on other chains. */
const sharingChains = ({ assets, of }: Networks): Asset[] =>
  assets.filter(
    ({ chain }, at) =>
      assets.findIndex(asset => asset.chain === chain) === at && of(chain)?.sameAddresses && of(chain)?.sweep,
  )

/**
 * Finds forwarders that hold a listed coin on another chain than their own, because buyers sent it on the
 * wrong network. Usually takes one request per chain.
 */
export async function findHeldElsewhere(
  { networks }: Pick<Context, 'networks'>,
  forwarders: Forwarder[],
): Promise<HeldElsewhere> {
  const faults: HeldElsewhere['faults'] = []
  const found = await Promise.all(
    sharingChains(networks).map(async (asset): Promise<HeldOn[]> => {
      const { chain, network } = asset
      const others = forwarders.filter(
        ({ attempt }) =>
          chainOf(attempt.assetId) !== chain && networks.asset(attempt.assetId)?.network === network,
      )
      if (others.length === 0) return []
      try {
        const sharing = asserted(networks.of(chain)?.sameAddresses, 'the chain shares addresses')
        const held = await sharing.balances(others.map(({ own }) => own.address))
        const own = others.filter(other => held.has(other.own.address))
        return own.length === 0 ? [] : [{ asset, own }]
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        faults.push({ chain, message: error.message })
        return []
      }
    }),
  )
  return { found: found.flat(), faults }
}

/**
 * Like `findHeldElsewhere`, without money that a sweep would lose: a payout wallet that is a contract on one
 * chain may belong to nobody on another. The faults name what was left out.
 */
export async function findSweepableElsewhere(
  context: Pick<Context, 'networks' | 'storage'>,
  forwarders: Forwarder[],
): Promise<HeldElsewhere> {
  const { found, faults } = await findHeldElsewhere(context, forwarders)
  const sweepable = await Promise.all(
    found.map(async ({ asset, own }): Promise<HeldOn[]> => {
      const problems = await Promise.all(own.map(({ recipe }) => problemOn(context, asset, payoutOf(recipe))))
      const reasons = new Set(problems.filter(problem => problem !== null))
      for (const reason of reasons) {
        faults.push({ chain: asset.chain, message: `Money on ${asset.chain} cannot be swept: ${reason}.` })
      }
      const movable = own.filter((_, index) => problems[index] === null)
      return movable.length === 0 ? [] : [{ asset, own: movable }]
    }),
  )
  return { found: sweepable.flat(), faults }
}

const payoutOf = ({ payoutAddress }: Forwarder['recipe']): string => payoutAddress

/** The reason, known so far, why a payout wallet must not be paid on a chain; null if there is none. */
async function problemOn(
  { networks, storage }: Pick<Context, 'networks' | 'storage'>,
  { chain, network }: Asset,
  payoutAddress: string,
): Promise<string | null> {
  const address = networks.canonical(network, payoutAddress)
  const checks = await storage.read(tables => tables.payoutChecks.listOf(address))
  const isContract = checks.some(check => check.isContract)
  if (isContract && !checks.some(check => check.chain === chain)) {
    return `the payout wallet is a contract, and it is not known whether it exists on ${chain}`
  }
  return payoutProblemOf(payoutProblems(checks), { chain, contract: '' })
}
