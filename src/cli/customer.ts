import { Command } from 'commander'
import { blockCustomer } from '../operations/customers/block.ts'
import { type Erasure, eraseCustomer } from '../operations/customers/erase.ts'
import { type Cli, command, MERCHANT_ID } from './cli.ts'

interface CustomerOptions {
  merchant: string
  email: string
}

const blocking = (cli: Cli, name: string, description: string, blocked: boolean) =>
  command(name, description)
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--email <email>', "the customer's email address")
    .action(
      cli.withContext(async (context, { merchant, email }: CustomerOptions) => {
        const customer = await blockCustomer(context, merchant, email, blocked)
        const json = { customerId: customer.id, email: customer.email, blocked: customer.blockedAt !== null }
        return { json, text: `${blocked ? 'Blocked' : 'Unblocked'} ${customer.email}` }
      }),
    )

const elsewhere =
  'Backups, dated copies in the data directory, emails that were sent and your shop still have the old data.'

function report({ replacement, orders, mentions, compacted }: Erasure): string {
  const found =
    replacement === null
      ? 'Nothing has this address.'
      : `Replaced the address by ${replacement}: ${orders} orders, ${mentions} other rows.`
  const file = compacted
    ? 'The database file was rewritten and contains nothing of it any more.'
    : 'A server is using the database, so remains can stay in unused parts of its file. To remove them, ' +
      'stop the server and run this command again.'
  return [found, file, elsewhere].join('\n')
}

const erase = (cli: Cli) =>
  command(
    'erase',
    'permanently erase the personal data of a customer; their orders and amounts stay in reports',
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--email <email>', "the customer's email address")
    .action(
      cli.withContext(async (context, { merchant, email }: CustomerOptions) => {
        const erasure = await eraseCustomer(context, merchant, email)
        return { json: { merchantId: merchant, ...erasure }, text: report(erasure) }
      }),
    )

export const customer = (cli: Cli): Command =>
  new Command('customer')
    .description('block, unblock and erase customers')
    .addCommand(blocking(cli, 'block', 'stop a customer from starting payments', true))
    .addCommand(blocking(cli, 'unblock', 'let a blocked customer pay again', false))
    .addCommand(erase(cli))
