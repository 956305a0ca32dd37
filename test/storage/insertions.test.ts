import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { queryBuilder } from '../../src/storage/postgres/session.ts'
import { orderNotes } from '../../src/storage/schema/index.ts'

const note = {
  id: 'n1',
  orderId: 'o1',
  merchantId: 'm1',
  text: 'insert into update',
  actor: 'cli' as const,
  createdAt: 1,
}

test('on PostgreSQL, only insertions without a result are sent without waiting for their answer', async () => {
  const sent: string[] = []
  const db = queryBuilder({
    async query(text) {
      sent.push(`answered ${text.split(' ')[0]}`)
      return { rows: [], changes: 0 }
    },
    async insert(text) {
      sent.push(`unanswered ${text.split(' ')[0]}`)
    },
  })
  await db.insert(orderNotes).values(note)
  await db.insert(orderNotes).values(note).onConflictDoNothing().prepare().execute()
  await db.insert(orderNotes).values(note).returning()
  await db.update(orderNotes).set({ text: '' }).where(eq(orderNotes.id, 'n1'))
  await db.delete(orderNotes).where(eq(orderNotes.id, 'n1'))
  await db.select().from(orderNotes)
  expect(sent).toEqual([
    ...['unanswered insert', 'unanswered insert', 'answered insert', 'answered update', 'answered delete'],
    'answered select',
  ])
})
