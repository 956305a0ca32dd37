import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'

/** The tables of remembered rows, and the functions that change them and report the change. */
const reporting: Record<string, string[]> = {
  merchants: ['merchantsTable'],
  keys: ['keysTable'],
  wallets: ['walletsTable'],
  addressSources: ['sourcesTable'],
  sourceAddresses: ['poolQueries', 'runQueries', 'sourcesTable'],
  attempts: ['attemptsTable', 'deleteOrders', 'eraseRefundAddresses'],
  payoutChecks: ['payoutChecksTable'],
  blindChains: ['blindChainsTable'],
  catalogues: ['cataloguesTable'],
  coinCatalogues: ['coinCataloguesTable'],
  providerAccounts: ['providerAccountsTable'],
}

const folder = 'src/storage/tables'
const texts = readdirSync(folder).map(name => readFileSync(`${folder}/${name}`, 'utf8'))

/** The functions and constants at the top of a file, with their code. */
const partsOf = (text: string): { name: string; code: string }[] =>
  text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m).map(code => ({
    name: /(?:function|const) (\w+)/.exec(code)?.[1] ?? '',
    code,
  }))

test.each(Object.entries(reporting))('%s are changed only by repositories that report it', (table, known) => {
  const builder = new RegExp(`\\.(insert|update|delete)\\(${table}\\)`)
  const statement = new RegExp(`\\b(insertInto|putInto|updateOf|moveOf)\\b[^)]*\\b${table},`)
  const raw = new RegExp(`(UPDATE|INTO|FROM)\\s+(\\$\\{)?${table}\\b`)
  const changing = texts
    .filter(text => !text.includes(` as ${table}`))
    .flatMap(partsOf)
    .filter(
      ({ code }) =>
        builder.test(code) || statement.test(code) || (raw.test(code) && /UPDATE|DELETE/.test(code)),
    )
  expect(changing.map(({ name }) => name).toSorted()).toEqual(known)
})
