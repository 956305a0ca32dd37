import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface Axe {
  run(place: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

export const axeSource = () =>
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Only colours change with the scheme, so the dark one is looked at for contrast alone. */
export const axeFaults = (page: Page, colorScheme: 'light' | 'dark') =>
  page.evaluate(
    async rules => {
      const { axe } = globalThis as unknown as { axe: Axe }
      const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
      const { violations } = await axe.run(document, options)
      return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 120)}`))
    },
    colorScheme === 'dark' ? ['color-contrast'] : null,
  )
