import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface Axe {
  run(place: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

export const axeSource = () =>
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The dark scheme changes only colours, so it is checked for contrast only. */
export const axeProblems = (page: Page, colorScheme: 'light' | 'dark') =>
  page.evaluate(
    async rules => {
      const { axe } = globalThis as unknown as { axe: Axe }
      const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
      const { violations } = await axe.run(document, options)
      return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 120)}`))
    },
    colorScheme === 'dark' ? ['color-contrast'] : null,
  )
