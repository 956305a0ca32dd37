import { describe, expect, test } from 'bun:test'
import type { Refund } from '../../../src/domain/refund.ts'
import type { Reversal } from '../../../src/domain/reversal.ts'
import type { UnmatchedPayment } from '../../../src/domain/settlement.ts'
import type { Settlement, Transaction } from '../../../src/domain/transaction.ts'
import type { TransactionFilter } from '../../../src/storage/port.ts'
import {
  failureOf,
  givenAttempt,
  givenCustomer,
  givenOrder,
  incomingRow,
  JSON_VALUE,
  LARGE_AMOUNT,
  LATEST,
  newId,
  type Open,
  opening,
  pagesOf,
  TEXT,
  transactionRow,
} from './given.ts'

const whole: Partial<Transaction> = {
  transactionRef: TEXT,
  amount: LARGE_AMOUNT,
  currency: 'KWD',
  feePercent: '89.9999',
  feeAmount: LARGE_AMOUNT,
  netAmount: `0.${LARGE_AMOUNT}`,
  feeCollection: 'PROVIDER_SPLIT',
  receivingWallet: TEXT,
  receivedAmount: '0.000000000000000001',
  txIn: TEXT,
  txOut: `out ${TEXT}`,
  refundStatus: 'FULL',
  refundedAmount: LARGE_AMOUNT,
  refundCount: 2147483647,
  lastRefundedAt: LATEST,
  refundedAt: 0,
  status: 'REFUNDED',
  paidAt: LATEST,
  createdAt: 0,
  updatedAt: LATEST,
}

export function transactionsContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine
  const find = (id: string) => read(tables => tables.transactions.find(id))

  async function given(change: Partial<Transaction> = {}): Promise<Transaction> {
    const transaction = transactionRow(await givenAttempt(engine), change)
    await write(tables => tables.transactions.insert(transaction))
    return transaction
  }

  describe('transactions', () => {
    test.each([
      ['with extreme values', whole],
      ['with few values', {}],
    ])('%s are read as they were inserted, with their order', async (_, change) => {
      const order = await givenOrder(engine)
      const transaction = transactionRow(await givenAttempt(engine, {}, order), change)
      await write(tables => tables.transactions.insert(transaction))
      expect(await find(transaction.id)).toEqual({ transaction, order })
      expect(await find(newId())).toBe(null)
    })

    test('are unique for each order and attempt, which must exist', async () => {
      const order = await givenOrder(engine)
      const [one, two] = [await givenAttempt(engine, {}, order), await givenAttempt(engine, {}, order)]
      const insert = (row: Transaction) => failureOf(write(tables => tables.transactions.insert(row)))
      expect(await insert(transactionRow(one))).toBe('nothing failed')
      expect(await insert(transactionRow(two))).toMatch(/^failed/)
      expect(await insert(transactionRow(one, { orderId: (await givenOrder(engine)).id }))).toMatch(/^failed/)
      expect(await insert(transactionRow({ ...one, id: newId() }))).toMatch(/^failed/)
    })

    test('are refunded only if they still have the expected number of refunds', async () => {
      const transaction = await given({ refundCount: 1 })
      const change = { refundCount: 2, refundedAmount: LARGE_AMOUNT, refundStatus: 'PARTIAL' } as const
      const refund = (count: number) =>
        write(tables => tables.transactions.refund(transaction.id, count, change))
      expect(await refund(0)).toBe(false)
      expect((await find(transaction.id))?.transaction).toEqual(transaction)
      expect(await Promise.all([refund(1), refund(1)])).toEqual([true, false])
      expect((await find(transaction.id))?.transaction).toEqual({ ...transaction, ...change })
    })

    test('store the outgoing transaction', async () => {
      const transaction = await given()
      const other = await given()
      await write(tables => tables.transactions.setTxOut(transaction.id, TEXT, LATEST))
      const noted = { ...transaction, txOut: TEXT, updatedAt: LATEST }
      expect((await find(transaction.id))?.transaction).toEqual(noted)
      expect((await find(other.id))?.transaction).toEqual(other)
    })
  })

  describe('a list of transactions', () => {
    test('has the transactions of one merchant that match the filter, newest first, over several pages', async () => {
      const customer = await givenCustomer(engine)
      const rows: Transaction[] = []
      for (let at = 0; at < 7; at++) {
        const attempt = await givenAttempt(engine, {}, await givenOrder(engine, {}, customer))
        const status = at % 2 === 0 ? 'PAID' : 'REFUNDED'
        rows.push(transactionRow(attempt, { status, createdAt: 10 + Math.floor(at / 3) }))
      }
      for (const row of [3, 0, 6, 2, 5, 1, 4].map(at => rows[at]!)) {
        await write(tables => tables.transactions.insert(row))
      }
      await given({ createdAt: 11 })
      const newest = rows.toReversed()
      const { merchantId } = customer
      const list = (filter: Omit<TransactionFilter, 'merchantId'>, size: number) =>
        pagesOf(
          size,
          (limit, after) => read(tables => tables.transactions.list({ merchantId, ...filter }, limit, after)),
          ({ transaction }) => ({ at: transaction.createdAt, id: transaction.id }),
        ).then(found => found.map(({ transaction }) => transaction))
      for (const size of [1, 2, 3, 100]) {
        expect(await list({}, size)).toEqual(newest)
        const paid = newest.filter(({ status }) => status === 'PAID')
        expect(await list({ status: 'PAID' }, size)).toEqual(paid)
        expect(await list({ orderId: rows[4]!.orderId }, size)).toEqual([rows[4]!])
        expect(await list({ orderId: rows[4]!.orderId, status: 'REFUNDED' }, size)).toEqual([])
      }
    })
  })

  describe('settlements', () => {
    test('are unique per order, and need an existing transaction', async () => {
      const transaction = await given()
      const { orderId, merchantId, attemptId } = transaction
      const ids = { orderId, merchantId, attemptId, transactionId: transaction.id }
      const row: Settlement = { ...ids, verdict: 'over', rule: TEXT, evidence: JSON_VALUE, createdAt: LATEST }
      const insert = (settlement: Settlement) =>
        failureOf(write(tables => tables.transactions.insertSettlement(settlement)))
      expect(await insert({ ...row, transactionId: newId() })).toMatch(/^failed/)
      const find = () => read(tables => tables.transactions.findSettlement(orderId))
      expect(await find()).toBeNull()
      expect(await insert(row)).toBe('nothing failed')
      expect(await find()).toEqual(row)
      expect(await insert({ ...row, verdict: 'late' })).toMatch(/^failed/)
    })
  })

  describe('unmatched payments', () => {
    async function unmatched(change: Partial<UnmatchedPayment> = {}, createdAt = 1) {
      const attempt = await givenAttempt(engine, { decimals: 18, refundAddress: 'refund' })
      const incoming = incomingRow(attempt)
      await write(tables => tables.incomingPayments.insert(incoming))
      const { merchantId, orderId, id: attemptId } = attempt
      const payment: UnmatchedPayment = {
        id: newId(),
        ...{ merchantId, orderId, attemptId },
        incomingPaymentId: incoming.id,
        reason: 'underpaid',
        status: 'open',
        value: '12.34',
        shortfall: null,
        note: null,
        decidedBy: null,
        createdAt,
        updatedAt: LATEST,
        ...change,
      }
      return { attempt, incoming, payment }
    }
    const insert = (payment: UnmatchedPayment) => write(tables => tables.unmatched.insert(payment))
    const findPayment = (id: string) => read(tables => tables.unmatched.find(id))

    test('are recorded once per payment, and listed with it', async () => {
      const { attempt, payment, incoming } = await unmatched({ reason: 'too_late' }, 0)
      expect([await insert(payment), await insert({ ...payment, id: newId() })]).toEqual([true, false])
      const list = await read(tables => tables.unmatched.list(payment.merchantId, 9))
      const ofOrder = { currency: 'USD', orderStatus: 'UNPAID', externalId: null } as const
      const asked = { assetId: attempt.assetId, decimals: 18 }
      const row = { payment, incoming, asked, refundAddress: 'refund', ...ofOrder }
      expect(list).toEqual([row])
      expect(await read(tables => tables.unmatched.listOf(payment.orderId))).toEqual([row])
      expect(await read(tables => tables.unmatched.listOf(newId()))).toEqual([])
      expect([await findPayment(payment.id), await findPayment(newId())]).toEqual([payment, null])
      expect(await read(tables => tables.unmatched.list(newId(), 9))).toEqual([])
      const nobody = insert({ ...payment, id: newId(), incomingPaymentId: newId() })
      expect(await failureOf(nobody)).toMatch(/^failed/)
    })

    test('are listed newest first, up to the limit; those of an order or attempt, oldest first', async () => {
      const { attempt, payment } = await unmatched({}, 5)
      await insert(payment)
      const rows = [payment]
      for (const createdAt of [5, 6, 6]) {
        const incoming = incomingRow(attempt)
        await write(tables => tables.incomingPayments.insert(incoming))
        rows.push({ ...payment, id: newId(), incomingPaymentId: incoming.id, createdAt })
        await insert(rows.at(-1)!)
      }
      const list = async (limit: number) =>
        (await read(tables => tables.unmatched.list(attempt.merchantId, limit))).map(row => row.payment)
      expect(await list(9)).toEqual(rows.toReversed())
      expect(await list(2)).toEqual(rows.toReversed().slice(0, 2))
      const { orderId, id } = attempt
      const [ofOrder, ofAttempt] = await read(async ({ unmatched }) => [
        await unmatched.listOf(orderId),
        await unmatched.listOfAttempt(id),
      ])
      expect([ofOrder, ofAttempt].map(found => found?.map(row => row.payment))).toEqual([rows, rows])
    })

    test('are read page by page, of one status or of all, and the open ones are counted', async () => {
      const { attempt, payment } = await unmatched({}, 5)
      await insert(payment)
      const rows = [payment]
      for (const [createdAt, status] of [
        [5, 'resolved'],
        [6, 'open'],
        [6, 'accepted'],
      ] as const) {
        const incoming = incomingRow(attempt)
        await write(tables => tables.incomingPayments.insert(incoming))
        rows.push({ ...payment, id: newId(), incomingPaymentId: incoming.id, createdAt, status })
        await insert(rows.at(-1)!)
      }
      const { merchantId } = attempt
      const browse = async (status?: UnmatchedPayment['status'], after?: UnmatchedPayment) => {
        const start = after ? { at: after.createdAt, id: after.id } : null
        const page = await read(tables => tables.unmatched.browse({ merchantId, status }, 2, start))
        return page.map(row => row.payment)
      }
      expect(await browse()).toEqual([rows[3]!, rows[2]!])
      expect(await browse(undefined, rows[2])).toEqual([rows[1]!, rows[0]!])
      expect(await browse('open')).toEqual([rows[2]!, rows[0]!])
      expect(await browse('open', rows[2])).toEqual([rows[0]!])
      expect(await browse('resolved')).toEqual([rows[1]!])
      const count = (limit: number, id = merchantId) => read(tables => tables.unmatched.countOpen(id, limit))
      expect([await count(9), await count(1), await count(9, newId())]).toEqual([2, 1, 0])
    })

    test('are resolved only for their own merchant', async () => {
      const { payment } = await unmatched()
      const other = await unmatched()
      await insert(payment)
      await insert(other.payment)
      const decision = { note: 'sent back', decidedBy: 'user:a', updatedAt: 9 }
      const resolve = (merchantId: string, id: string) =>
        write(tables => tables.unmatched.resolve(merchantId, id, decision))
      expect(await resolve(other.payment.merchantId, payment.id)).toBe(false)
      expect(await resolve(payment.merchantId, newId())).toBe(false)
      expect(await findPayment(payment.id)).toEqual(payment)
      expect(await resolve(payment.merchantId, payment.id)).toBe(true)
      expect(await findPayment(payment.id)).toEqual({ ...payment, ...decision, status: 'resolved' })
      expect(await findPayment(other.payment.id)).toEqual(other.payment)
      expect(await resolve(payment.merchantId, payment.id)).toBe(false)
    })

    test('are changed one by one', async () => {
      const { payment } = await unmatched()
      const other = await unmatched()
      for (const row of [payment, other.payment]) await insert(row)
      const change = { status: 'accepted', shortfall: '0.50', decidedBy: 'Ann', updatedAt: 9 } as const
      await write(tables => tables.unmatched.update(payment.id, change))
      expect(await findPayment(payment.id)).toEqual({ ...payment, ...change })
      expect(await findPayment(other.payment.id)).toEqual(other.payment)
    })

    test('are found by the attempt to which they were sent', async () => {
      const { attempt, payment, incoming } = await unmatched()
      const other = await unmatched()
      await insert(payment)
      await insert(other.payment)
      expect(await read(tables => tables.unmatched.knownPayments(attempt.id))).toEqual([incoming.id])
      expect(await read(tables => tables.unmatched.knownPayments(newId()))).toEqual([])
    })
  })

  describe('refunds', () => {
    const refundRow = ({ merchantId, orderId, id }: Transaction, change: Partial<Refund> = {}): Refund => ({
      id: newId(),
      ...{ merchantId, orderId },
      transactionId: id,
      amount: LARGE_AMOUNT,
      currency: 'KWD',
      methodKey: 'crypto',
      reason: TEXT,
      createdBy: TEXT,
      createdAt: LATEST,
      sentAmount: null,
      txId: TEXT,
      sentAssetId: TEXT,
      ...change,
    })

    test('are read as they were inserted, are unique, and need an existing transaction', async () => {
      const transaction = await given()
      const refund = refundRow(transaction)
      const insert = (row: Refund) => failureOf(write(tables => tables.refunds.insert(row)))
      expect(await insert({ ...refund, transactionId: newId() })).toMatch(/^failed/)
      expect(await insert(refund)).toBe('nothing failed')
      expect(await insert(refund)).toMatch(/^failed/)
      const found = (id: string) => read(tables => tables.refunds.find(id))
      expect([await found(refund.id), await found(newId())]).toEqual([refund, null])
    })

    test('are listed by order, newest first, over several pages', async () => {
      const transaction = await given()
      const rows = [1, 1, 2, 2, 2, 3].map(createdAt => refundRow(transaction, { createdAt }))
      for (const row of [4, 1, 5, 0, 3, 2].map(at => rows[at]!)) {
        await write(tables => tables.refunds.insert(row))
      }
      const other = refundRow(await given())
      await write(tables => tables.refunds.insert(other))
      for (const size of [1, 2, 3, 100]) {
        const listed = await pagesOf(
          size,
          (limit, after) => read(tables => tables.refunds.list(transaction.orderId, limit, after)),
          ({ createdAt, id }) => ({ at: createdAt, id }),
        )
        expect(listed).toEqual(rows.toReversed())
      }
    })
  })

  describe('reversals', () => {
    test('are listed by order, oldest first', async () => {
      const { id: attemptId, merchantId, orderId } = await givenAttempt(engine)
      const reversal = (createdAt: number): Reversal => ({
        ...{ id: newId(), merchantId, orderId, attemptId, createdAt, updatedAt: LATEST },
        ...{ provider: 'stripe', reference: newId(), kind: 'refund', status: 'succeeded' },
        ...{ amount: LARGE_AMOUNT, currency: 'KWD', refundId: null },
        ...{ idempotencyKey: newId(), reason: TEXT, createdBy: TEXT },
      })
      const rows = [1, 2, 2, 3].map(reversal)
      for (const at of [3, 1, 0, 2]) await write(tables => tables.reversals.insert(rows[at]!))
      expect(await read(tables => tables.reversals.listOf(orderId))).toEqual(rows)
      expect(await read(tables => tables.reversals.listOf(newId()))).toEqual([])
    })
  })
}
