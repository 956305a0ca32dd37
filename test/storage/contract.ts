import { describe } from 'bun:test'
import { accountsContract } from './contract/accounts.ts'
import { attemptsContract } from './contract/attempts.ts'
import { eventsContract } from './contract/events.ts'
import type { Open } from './contract/given.ts'
import { isolationContract } from './contract/isolation.ts'
import { jobsContract } from './contract/jobs.ts'
import { ordersContract } from './contract/orders.ts'
import { productsContract, sourcesContract } from './contract/products.ts'
import { transactionsContract } from './contract/transactions.ts'

/**
 * What every storage engine promises: each repository of the port, and how reads and writes keep out of each
 * other's way. `open` opens an empty storage. Text with the character NUL is left out, which PostgreSQL does
 * not hold.
 */
export function storageContract(name: string, open: Open): void {
  describe(`storage in ${name}`, () => {
    describe('isolation', () => isolationContract(open))
    describe('accounts', () => accountsContract(open))
    describe('orders', () => ordersContract(open))
    describe('attempts', () => attemptsContract(open))
    describe('transactions', () => transactionsContract(open))
    describe('events', () => eventsContract(open))
    describe('jobs', () => jobsContract(open))
    describe('products', () => productsContract(open))
    describe('sources', () => sourcesContract(open))
  })
}
