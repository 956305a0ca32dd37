import { Type } from '@sinclair/typebox'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { type BackupsModel, backupsBody, backupsPart } from '../../../../views/dashboard/server-backups.ts'
import { backupFacts } from '../../../domain/backup.ts'
import type { Refusal } from '../../../domain/errors.ts'
import type { NotificationFacts } from '../../../domain/notification-facts.ts'
import type { BackupState } from '../../../domain/upkeep.ts'
import {
  recordOwnBackup,
  requestBackup,
  requestReplicaTrial,
  takeNewestBackup,
} from '../../../operations/operator/back-up.ts'
import { writeNotification } from '../../../present/notification.ts'
import { sizeText } from '../../../present/size.ts'
import { fileResponse } from '../csv-file.ts'
import { oneOf, optional } from '../fields.ts'
import { form, page, part, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText } from '../problem.ts'
import type { PersonVisit } from '../visit.ts'

const PATH = '/dashboard/server/backups'
const SECOND_MS = 1000

interface BackupsState {
  done?: 'recorded' | undefined
  refusal?: Refusal
}

const textOf = (locale: DashboardLocale, facts: NotificationFacts): string =>
  writeNotification(locale, facts, 'person').text

type Automatic = NonNullable<BackupState['automatic']>

function automaticModel(locale: DashboardLocale, { folder, record, files, job }: Automatic, now: number) {
  const facts = backupFacts(record, now, now)
  const { trialAt, trialProblem, trialFault } = record
  const trial = trialProblem === null ? null : { reason: trialProblem, fault: trialFault }
  // A full disk may keep the server from recording why a backup failed, so the failed run counts too.
  const isUnnoted = facts === null && job.failed !== null && job.failed.at > (record.madeAt ?? 0)
  const { backups } = locale.texts
  return {
    folder,
    since: job.since,
    problem: facts ? textOf(locale, facts) : isUnnoted ? backups.failed : null,
    detail: isUnnoted ? (job.failed?.reason ?? null) : null,
    madeAt: record.madeAt,
    trial:
      trialAt === null
        ? null
        : { at: trialAt, problem: trial && textOf(locale, { about: 'backup_unusable', ...trial }) },
    files: files.map(({ file, at, bytes }) => ({
      name: file.replace(/^.*[\\/]/, ''),
      at,
      size: sizeText(locale, bytes),
    })),
  }
}

function replicaModel(locale: DashboardLocale, { lagMs, trial, job }: NonNullable<BackupState['replica']>) {
  const { backups } = locale.texts
  return {
    since: job.since,
    problem: null,
    detail: null,
    behind: lagMs === null ? null : backups.seconds({ count: Math.ceil(lagMs / SECOND_MS) }),
    trial,
  }
}

async function readBackups({ context }: PersonVisit) {
  const state = await context.upkeep.backups()
  const now = context.realClock()
  const { isFile, lastAt, automatic, replica, secretsFile } = state
  return (locale: DashboardLocale, { done, refusal }: BackupsState): BackupsModel => ({
    ...{ isFile, lastAt, secretsFile, done: done ?? null },
    automatic: automatic && automaticModel(locale, automatic, now),
    replica: replica && replicaModel(locale, replica),
    problem: refusal ? problemText(locale, refusal) : null,
  })
}

async function showBackups(visit: PersonVisit, state: BackupsState): Promise<View> {
  const modelIn = await readBackups(visit)
  return locale => ({
    title: locale.texts.server.tabs.backups,
    body: backupsBody(locale, modelIn(locale, state)),
  })
}

const refused = (refusal: Refusal, visit: PersonVisit): Promise<View> => showBackups(visit, { refusal })

/** The page that shows when the server was last backed up, and the forms for backups. */
export const serverBackupRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'operator',
    query: { done: Type.Optional(oneOf(['recorded'])) },
    show: visit => showBackups(visit, { done: visit.query.done }),
  }),
  part({
    path: `${PATH}/part`,
    access: 'operator',
    async show(visit) {
      const modelIn = await readBackups(visit)
      return locale => backupsPart(locale, modelIn(locale, {}))
    },
  }),
  form({
    path: PATH,
    proof: 'operator',
    fields: { trial: optional(3) },
    run: ({ context, body }) => requestBackup(context, body.trial === 'yes'),
    done: PATH,
    refused,
  }),
  form({
    path: `${PATH}/replica`,
    proof: 'operator',
    run: ({ context }) => requestReplicaTrial(context),
    done: PATH,
    refused,
  }),
  form({
    path: `${PATH}/record`,
    proof: 'operator',
    run: ({ context }) => recordOwnBackup(context),
    done: `${PATH}?done=recorded`,
    refused,
  }),
  form({
    path: `${PATH}/download`,
    proof: 'operator',
    proofTime: 'now',
    run: ({ context }) => takeNewestBackup(context),
    done: ({ file }, { context }) =>
      fileResponse(file.replace(/^.*[\\/]/, ''), 'application/octet-stream', context.upkeep.readBackup(file)),
    refused,
  }),
]
