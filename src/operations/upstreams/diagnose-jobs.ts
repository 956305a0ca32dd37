import type { Context } from '../context.ts'

/** For how long the longest due job has been waiting, in milliseconds; 0 where none is due. */
export async function diagnoseJobs({ storage, clock }: Pick<Context, 'storage' | 'clock'>): Promise<number> {
  const dueAt = await storage.read(tables => tables.jobs.nextDueAt([]))
  return dueAt === null ? 0 : Math.max(0, clock() - dueAt)
}
