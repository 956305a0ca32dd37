import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { isWhole, waysOf } from '../support/whole.ts'
import { accounts, phrase } from '../unit/networks/keys/published.ts'
import { addAxe } from './axe.ts'
import { asOwner, problemsOf, useDashboard } from './dashboard.ts'
import { describeInBrowser, textOf, useSite } from './server.ts'

const site = useSite()
const open = useDashboard(site, asOwner)
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const account = accounts.find(({ network, script }) => network === 'btc' && script === 'p2wpkh')!
/** A key that may be for several scripts, so that the page has the most to show. */
const ambiguous = accounts.find(({ network, key }) => network === 'btc' && key.startsWith('xpub'))!

const looks = [
  ['light', 'en', 0],
  ['dark', 'de', 1],
] as const

async function enter(page: Page, network: string, text: string): Promise<void> {
  await page.goto(`/dashboard/payouts/${network}`)
  await page.locator('#text').fill(text)
  await page.locator('form[action$="/check"]:has(#text) button').last().click()
}

describeInBrowser('where money goes', () => {
  test.each(waysOf(looks, 1))(
    'has no accessibility problems, and fits: %s, %s',
    async (colorScheme, language, first) => {
      const { page, watch } = await open('/dashboard/payouts', { colorScheme })
      await addAxe(page.context())
      const problems: string[] = []
      let turn = first
      const inspect = async (name: string) => {
        problems.push(...(await problemsOf(page, name, turn++, 'light')))
      }
      // The walk through the dashboard opens these pages without entered values.
      for (const path of isWhole ? ['', '/evm', '/xmr'] : []) {
        await page.goto(`/dashboard/payouts${path}?lang=${language}`)
        await inspect(`page ${path}`)
      }
      await enter(page, 'btc', phrase)
      await inspect('refused')
      await enter(page, 'btc', ambiguous.key)
      await inspect('account key')
      await enter(page, 'evm', ADDRESS.toLowerCase())
      await inspect('address')
      expect(problems).toEqual([])
      expect(watch.problems.filter(problem => !problem.includes('400 (Bad Request)'))).toEqual([])
      expect(watch.foreignRequests).toEqual([])
    },
  )

  test('are set up without JavaScript, and no page contains seed words', async () => {
    const { page } = await open('/dashboard/payouts', { javaScriptEnabled: false })
    await enter(page, 'btc', phrase)
    expect(await textOf(page)).toContain('This looks like a private key or seed words.')
    expect(await page.content()).not.toContain('abandon')
    expect(await page.locator('#text').inputValue()).toBe('')
    await enter(page, 'btc', account.key)
    expect(await page.locator('ol li').allInnerTexts()).toHaveLength(3)
    expect(await page.locator('ol li').first().innerText()).toBe(account.addresses[0]!)
    await page.getByLabel('I have compared this with my wallet').check()
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await textOf(page)).toContain('Saved. New payments use it from now on.')
    await page.getByRole('link', { name: /^Change Bitcoin$/ }).click()
    await page.getByRole('button', { name: 'Stop using the extended public key' }).click()
    expect(await textOf(page)).toContain('Removed.')
  })

  test('are set up with the keyboard alone', async () => {
    const { page } = await open('/dashboard/payouts')
    await page.goto('/dashboard/payouts/evm')
    await page.locator('#text').focus()
    await page.keyboard.type(ADDRESS.toLowerCase())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText(ADDRESS, { exact: true }).waitFor()
    await page.getByLabel('I have compared this with my wallet').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/payouts?saved=set')
  })
})
