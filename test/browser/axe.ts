import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

interface Axe {
  run(place: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

export const axeSource = () =>
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Loads axe into each page of a context, which is far quicker than sending it to each page. */
export const addAxe = (context: BrowserContext): Promise<unknown> => context.addInitScript(axeSource())

/** The dark scheme changes only colours, and a translation changes no colours. */
const optionsOf = {
  light: {},
  dark: { runOnly: ['color-contrast'] },
  translated: { rules: { 'color-contrast': { enabled: false } } },
}

/** The problems that axe finds on the page. Contrast takes two thirds of its time. */
export const axeProblems = (page: Page, as: keyof typeof optionsOf) =>
  page.evaluate(async options => {
    const { axe } = globalThis as unknown as { axe: Axe }
    // Only audio and video need preloading, which makes axe read all styles again.
    const preload = document.querySelector('audio, video') !== null
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload, ...options })
    return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 120)}`))
  }, optionsOf[as] as object)
