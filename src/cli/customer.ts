import { Command } from 'commander'
import { blockCustomer } from '../operations/merchants/block-customer.ts'
import { type Cli, command, MERCHANT_ID } from './cli.ts'

interface Named {
  merchant: string
  email: string
}

const blocking = (cli: Cli, name: string, description: string, blocked: boolean) =>
  command(name, description)
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--email <email>', "the customer's email address")
    .action(
      cli.withContext(async (context, { merchant, email }: Named) => {
        const customer = await blockCustomer(context, merchant, email, blocked)
        const json = { customerId: customer.id, email: customer.email, blocked: customer.blockedAt !== null }
        return { json, text: `${blocked ? 'Blocked' : 'Unblocked'} ${customer.email}` }
      }),
    )

export const customer = (cli: Cli): Command =>
  new Command('customer')
    .description('block and unblock customers')
    .addCommand(blocking(cli, 'block', 'stop a customer from starting payments', true))
    .addCommand(blocking(cli, 'unblock', 'let a blocked customer pay again', false))
