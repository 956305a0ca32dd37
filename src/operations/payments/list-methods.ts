import type { ProviderMethod } from '../../domain/catalogue.ts'
import { getWallet } from '../addresses/wallet.ts'
import type { Context } from '../context.ts'
import { hasProviderAccount, ownMethods } from '../merchants/provider-account.ts'
import { type CatalogueContext, fetchCatalogue } from '../upstreams/steps/catalogue.ts'
import { withoutDuplicates } from './list-offers.ts'

export interface Methods {
  providerMethods: ProviderMethod[]
  crypto: boolean
}

/**
 * Every method that a merchant can offer now, for any amount. With `force`, providers are asked again even if
 * they answered within the last hour.
 */
export async function listMethods(
  context: CatalogueContext & Pick<Context, 'providers' | 'secrets'>,
  merchantId: string,
  force: boolean,
): Promise<Methods> {
  const wallet = await getWallet(context, merchantId)
  const lists = await Promise.all(
    context.providers.all.map(async provider => {
      if (provider.charge?.accounts) return (await ownMethods(context, merchantId, provider)) ?? []
      const hasAccount = provider.charge && (await hasProviderAccount(context, merchantId, provider.id))
      const { methods } = await fetchCatalogue(context, provider, force)
      return hasAccount ? methods : methods.filter(({ capability }) => capability !== 'charge')
    }),
  )
  return {
    providerMethods: withoutDuplicates(lists.flat(), ({ key }) => key),
    crypto: wallet.includeCrypto,
  }
}
