import { Command } from 'commander'
import { blockCustomer } from '../operations/merchants/block-customer.ts'
import { type Cli, command } from './cli.ts'

interface Named {
  merchant: string
  email: string
}

const blocking = (cli: Cli, name: string, description: string, blocked: boolean) =>
  command(name, description)
    .requiredOption('--merchant <id>', 'merchantId')
    .requiredOption('--email <email>', "the customer's address")
    .action(
      cli.withContext(async (context, { merchant, email }: Named) => {
        const customer = await blockCustomer(context, merchant, email, blocked)
        const json = { customerId: customer.id, email: customer.email, blocked: customer.blockedAt !== null }
        return { json, text: `${customer.email} is ${blocked ? 'blocked' : 'not blocked'}` }
      }),
    )

export const customer = (cli: Cli): Command =>
  new Command('customer')
    .description('customers')
    .addCommand(blocking(cli, 'block', 'keep a customer from starting payments', true))
    .addCommand(blocking(cli, 'unblock', 'take that back', false))
