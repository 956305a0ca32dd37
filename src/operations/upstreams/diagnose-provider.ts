import type { Provider } from '../../providers/port.ts'
import { fetchMethods } from './steps/catalogue.ts'

/** How many methods a provider offers now. Throws ProviderError. */
export const diagnoseProvider = async (provider: Provider): Promise<number> =>
  (await fetchMethods(provider)).length
