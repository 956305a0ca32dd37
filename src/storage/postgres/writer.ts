import { type GroupHooks, GroupWriter, type Transaction } from '../group-writer.ts'
import { ConnectionLost } from './connection.ts'
import type { Link } from './link.ts'
import { BEGIN_WRITE } from './locks.ts'

/** A server may have closed a connection that nobody used. Nothing has been done yet. */
async function begin(link: Link): Promise<void> {
  try {
    await (await link.get()).script(BEGIN_WRITE)
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error
    await (await link.get()).script(BEGIN_WRITE)
  }
}

function transactionOf(link: Link): Transaction {
  let isOpen = false
  const run = async (text: string) => {
    await link.current().script(text)
  }
  return {
    async begin() {
      isOpen = true
      await begin(link)
    },
    async commit() {
      isOpen = false
      const tag = await link.current().script('COMMIT')
      // So it answers if a statement failed and the work went on.
      if (tag !== 'COMMIT') throw new Error('A write went on after one of its statements failed')
    },
    async rollBack() {
      if (!isOpen) return
      isOpen = false
      if (link.isLost()) return
      await run('ROLLBACK').catch(() => link.drop())
    },
    savepoint: () => run('SAVEPOINT work'),
    release: () => run('RELEASE SAVEPOINT work'),
    rollBackToSavepoint: () => run('ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work'),
    isOpen: () => isOpen && !link.isLost(),
  }
}

/** The only connection of this process that writes, with group commit. Processes write one after another. */
export class Writer extends GroupWriter {
  constructor(link: Link, hooks?: GroupHooks) {
    super(transactionOf(link), hooks)
  }
}
