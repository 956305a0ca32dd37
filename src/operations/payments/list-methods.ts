import type { ProviderMethod } from '../../domain/catalogue.ts'
import type { World } from '../context.ts'
import { readWallet } from '../merchants/wallet.ts'
import { readCatalogue } from '../upstreams/steps/catalogue.ts'

export interface Methods {
  providerMethods: ProviderMethod[]
  crypto: boolean
}

/**
 * Every method that a merchant can offer now, whatever the amount. `force` asks the providers again within
 * the hour.
 */
export async function listMethods(world: World, merchantId: string, force: boolean): Promise<Methods> {
  const wallet = await readWallet(world, merchantId)
  const catalogues = await Promise.all(
    world.providers.all.map(provider => readCatalogue(world, provider, force)),
  )
  const methods = catalogues.flatMap(catalogue => catalogue.methods)
  const byKey = new Map(methods.toReversed().map(method => [method.key, method]))
  return { providerMethods: [...byKey.values()].reverse(), crypto: wallet.includeCrypto }
}
