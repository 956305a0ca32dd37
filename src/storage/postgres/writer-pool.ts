import type { GroupWriter } from '../group-writer.ts'

/** A writing connection, with the tables that work needs. */
interface Slot<T> {
  writer: GroupWriter
  use: T
}

/** Connections that write at the same time. A write goes to the least busy one. */
export class WriterPool<T> {
  constructor(private readonly slots: readonly Slot<T>[]) {}

  write<R>(run: (use: T) => Promise<R>): Promise<R> {
    const { writer, use } = this.slots.reduce((best, slot) =>
      slot.writer.load < best.writer.load ? slot : best,
    )
    return writer.write(() => run(use))
  }

  async idle(): Promise<void> {
    await Promise.all(this.slots.map(({ writer }) => writer.idle()))
  }

  /** Waits for writes requested before. */
  async close(): Promise<void> {
    await Promise.all(this.slots.map(({ writer }) => writer.close()))
  }
}
