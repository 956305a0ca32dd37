import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'

/** The tables that remembered rows come from, and the files whose repositories report their changes. */
const reporting: Record<string, string[]> = {
  merchants: ['merchants.ts'],
  keys: ['keys.ts'],
  wallets: ['wallets.ts'],
  addressSources: ['sources.ts'],
  sourceAddresses: ['sources.ts'],
  attempts: ['attempts.ts', 'personal-data.ts', 'retention.ts'],
  payoutChecks: ['payout-checks.ts'],
  blindChains: ['blind-chains.ts'],
  catalogues: ['catalogues.ts'],
  coinCatalogues: ['catalogues.ts'],
  providerAccounts: ['provider-accounts.ts'],
}

const folder = 'src/storage/tables'
const files = readdirSync(folder).map(name => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))

test.each(Object.entries(reporting))('%s are changed only by repositories that report it', (table, known) => {
  const imported = files.filter(({ text }) => !text.includes(` as ${table}`))
  const builder = new RegExp(`\\.(insert|update|delete)\\(${table}\\)`)
  const statement = new RegExp(`\\b(insertInto|insertUsual|putInto|updateOf|moveOf)\\b[^)]*\\b${table},`)
  const raw = new RegExp(`(UPDATE|INTO|FROM)\\s+(\\$\\{)?${table}\\b`)
  const changing = imported.filter(
    ({ text }) =>
      builder.test(text) || statement.test(text) || (raw.test(text) && /UPDATE|DELETE/.test(text)),
  )
  expect(changing.map(({ name }) => name).toSorted()).toEqual(known)
})
