import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'
import { FLORIN, newFolder, type RunningProcess, startProcess } from './process.ts'

/** The folder in which all processes of a run share expensive results. */
const { FLORIN_TEST_TEMPLATES } = process.env

let made: Promise<string> | null = null

/** Starts a demo in a new directory and stops it once its shop has a past. */
async function makePast(): Promise<string> {
  const folder = mkdtempSync(join(FLORIN_TEST_TEMPLATES ?? tmpdir(), 'florin-demo-'))
  const demo = await startProcess(FLORIN, ['demo'], { FLORIN_DATA_DIR: folder, FLORIN_LOG_LEVEL: 'error' })
  await demo.stop()
  return folder
}

async function makeTemplate(): Promise<string> {
  if (!FLORIN_TEST_TEMPLATES) {
    const folder = await makePast()
    atEnd(async () => {
      made = null
      rmSync(folder, { recursive: true, force: true })
    })
    return folder
  }
  const template = join(FLORIN_TEST_TEMPLATES, 'demo')
  if (existsSync(template)) return template
  const folder = await makePast()
  try {
    renameSync(folder, template)
  } catch (error) {
    // Another process has made the template first.
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(template)) throw error
  }
  return template
}

/**
 * A data directory in which a demo ran before. Making the past of its shop takes ten times as long as a
 * start.
 */
export async function demoFolder(): Promise<string> {
  made ??= makeTemplate().catch((error: unknown) => {
    // The next file tries again: the machine may only have been busy.
    made = null
    throw error
  })
  const folder = newFolder()
  cpSync(await made, folder, { recursive: true })
  return folder
}

/** Starts a demo whose shop has a past. Only tests of a demo's first start need to make one. */
export const startDemo = async (environment: Record<string, string> = {}): Promise<RunningProcess> =>
  startProcess(FLORIN, ['demo'], { ...environment, FLORIN_DATA_DIR: await demoFolder() })
