import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { newFolder, runCli } from '../support/process.ts'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser, useSite } from './server.ts'
import { misfits } from './visit.ts'

const site = useSite()

describeInBrowser('the page of the server itself', () => {
  test.each(['light', 'dark'] as const)('has no accessibility problems, and fits: %s', async colorScheme => {
    const { context, watch } = await site.buyer({ colorScheme })
    const page = await context.newPage()
    await page.goto('/')
    await page.evaluate(axeSource())
    expect(await axeProblems(page, 'light')).toEqual([])
    expect(await misfits(page)).toEqual([])
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
  })
})

/** The color in the middle of each quarter of an image, as the browser draws it. */
const quarters = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluate(async element => {
    const image = element as HTMLImageElement
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = 40
    canvas.height = 40
    const drawing = canvas.getContext('2d', { willReadFrequently: true })!
    drawing.drawImage(image, 0, 0, 40, 40)
    const at = [10, 30].flatMap(y => [10, 30].map(x => drawing.getImageData(x, y, 1, 1).data))
    return at.map(color => color.join())
  })

describeInBrowser('an SVG logo', () => {
  test('is drawn unchanged on the page of an order, and runs nothing', async () => {
    const folder = newFolder()
    const file = join(folder, 'logo.svg')
    const part = (x: number, y: number, fill: string): string =>
      `<path d="M${x} ${y}h20v20h-20z" fill="${fill}"/>`
    const parts = part(0, 0, '#ff0000') + part(20, 0, '#00ff00') + part(0, 20, '#0000ff')
    writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${parts}</svg>`)
    const set = ['merchant', 'set', site.demo.output.merchantId, '--logo', file]
    expect((await runCli(set, { FLORIN_DATA_DIR: site.demo.dataDir })).exitCode).toBe(0)
    const { path } = await site.order()
    const { context, watch } = await site.buyer()
    const page = await context.newPage()
    await page.goto(path)
    const logo = page.locator('img.logo')
    expect(await logo.evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(512)
    expect(await quarters(page, 'img.logo')).toEqual(['255,0,0,255', '0,255,0,255', '0,0,255,255', '0,0,0,0'])
    const box = await logo.boundingBox()
    expect([box!.width, box!.height]).toEqual([44, 44])
    expect([watch.problems, watch.foreignRequests]).toEqual([[], []])
  })
})
