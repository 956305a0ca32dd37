import { ModuleProvider, Modules } from '@medusajs/framework/utils'
import { FlorinProvider } from './service.ts'

export default ModuleProvider(Modules.PAYMENT, { services: [FlorinProvider] })
