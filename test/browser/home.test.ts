import { expect, setDefaultTimeout, test } from 'bun:test'
import { axeProblems, axeSource } from './axe.ts'
import { describeInBrowser, useSite } from './server.ts'
import { misfits } from './visit.ts'

setDefaultTimeout(60_000)

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
