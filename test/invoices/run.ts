import { ciiOf } from '../../src/invoices/cii.ts'
import { ublOf } from '../../src/invoices/ubl.ts'
import { faultsOf, rulesFor } from './check.ts'
import { madeInvoices } from './made-invoices.ts'

/* Passes many made-up invoices through the official rules: npm run test:invoices -- [--seed S] [--count N] */

const option = (name: string, value: number): number => {
  const at = process.argv.indexOf(name)
  return at === -1 ? value : Number(process.argv[at + 1])
}

const [seed, count] = [option('--seed', 1), option('--count', 1000)]
let faults = 0
for (const content of madeInvoices(seed, count)) {
  for (const [syntax, xml] of [
    ['CII', ciiOf(content)],
    ['UBL', ublOf(content)],
  ] as const) {
    for (const rules of rulesFor(syntax, xml)) {
      for (const fault of faultsOf(rules, xml)) {
        faults++
        process.stderr.write(`${content.number} ${rules}: ${fault}\n`)
      }
    }
  }
}
process.stdout.write(`${count} invoices of seed ${seed}: ${faults} faults\n`)
process.exit(faults === 0 ? 0 : 1)
