import type { ProviderMethod } from '../../domain/catalogue.ts'
import type { Context } from '../context.ts'
import { getWallet } from '../merchants/wallet.ts'
import { fetchCatalogue } from '../upstreams/steps/catalogue.ts'

export interface Methods {
  providerMethods: ProviderMethod[]
  crypto: boolean
}

/**
 * Every method that a merchant can offer now, whatever the amount. `force` asks the providers again within
 * the hour.
 */
export async function listMethods(context: Context, merchantId: string, force: boolean): Promise<Methods> {
  const wallet = await getWallet(context, merchantId)
  const catalogues = await Promise.all(
    context.providers.all.map(provider => fetchCatalogue(context, provider, force)),
  )
  const methods = catalogues.flatMap(catalogue => catalogue.methods)
  const byKey = new Map(methods.toReversed().map(method => [method.key, method]))
  return { providerMethods: [...byKey.values()].reverse(), crypto: wallet.includeCrypto }
}
