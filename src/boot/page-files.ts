import { registry } from '../coins/registry.ts'
import { LIGHTNING } from '../domain/lightning.ts'
import { pageFiles } from '../http/pages/assets.ts'

const { chains, coins, invoices } = registry
const drawn = [...chains, ...coins, ...[invoices(LIGHTNING) ?? []].flat()]

/** The files of pages, with the marks of all coins and networks, each once. */
export const files = pageFiles([...new Set(drawn.flatMap(({ icon }) => icon ?? []))])
