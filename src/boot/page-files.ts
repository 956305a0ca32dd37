import { registry } from '../coins/registry.ts'
import { pageFiles } from '../http/pages/assets.ts'

const { chains, coins } = registry

/** The files of pages, with the marks of all coins and networks, each once. */
export const files = pageFiles([...new Set([...chains, ...coins].flatMap(({ icon }) => icon ?? []))])
