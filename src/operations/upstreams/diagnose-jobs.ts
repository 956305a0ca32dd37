import type { Context } from '../context.ts'

/** For how many milliseconds the longest overdue job has been waiting; 0 if no job is due. */
export async function diagnoseJobs({ storage, clock }: Pick<Context, 'storage' | 'clock'>): Promise<number> {
  const dueAt = await storage.read(tables => tables.jobs.nextDueAt([]))
  return dueAt === null ? 0 : Math.max(0, clock() - dueAt)
}
