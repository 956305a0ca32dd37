import { chainName } from '../chain-names.ts'
import type { upstreamFaults } from './upstream-faults.ts'

interface Upstream {
  upstream: 'endpoint' | 'provider' | 'rates' | 'simulation' | 'mail' | 'notify_url'
  name: string
  chain: string
}

/** What is said of a fault is said in English by the reason already. */
interface BackupProblem {
  reason: string
  fault: 'diskFull' | 'notWritable' | 'interrupted' | 'changed' | 'incomplete' | null
}

const names: Record<Upstream['upstream'], (one: Upstream) => string> = {
  endpoint: ({ name, chain }) => `The endpoint ${name} of ${chainName(chain)}`,
  provider: ({ name }) => `The provider ${name}`,
  rates: ({ name }) => `The exchange rate source ${name}`,
  simulation: () => 'The simulated chain',
  mail: ({ name }) => `The mail server ${name}`,
  notify_url: ({ name }) => `The operator’s channel for notifications, ${name},`,
}

const effects: Record<Upstream['upstream'], string> = {
  endpoint: 'If no other endpoint works, customers cannot pay there. To see more, run florin doctor.',
  provider: 'Customers cannot open new payments there.',
  rates: 'Until it works again, customers can pay with coins only if two other sources agree.',
  simulation: 'Customers cannot pay with coins.',
  mail: 'Notifications and emails to customers are waiting. Check FLORIN_SMTP_URL and the mail server.',
  notify_url: 'Notifications to the operator wait. Check FLORIN_NOTIFY_URL and its secret.',
}

const ended = (reason: string): string => reason.replace(/[.]?$/, '.')

/** What notifications say about what the server needs. A title that is empty is the beginning of the text. */
export const serviceMessages = {
  upstream_down: {
    title: '',
    text: (one: Upstream & { reason: string; fault: keyof typeof upstreamFaults | null }) =>
      `${names[one.upstream](one)} has been unusable for an hour: ${ended(one.reason)}`,
    advice: ({ upstream }: Upstream) => effects[upstream],
  },
  upstream_works: {
    title: '',
    text: (one: Upstream) => `${names[one.upstream](one)} works again.`,
    advice: '',
  },
  disk_low: {
    title: '',
    text: ({ freeMegabytes }: { freeMegabytes: number }) =>
      `Only ${freeMegabytes} MB are free on the disk of the database.`,
    advice: 'Free some space: without it, no orders can be taken.',
  },
  disk_good: { title: '', text: 'There is enough space on the disk of the database again.', advice: '' },
  backup_none: {
    title: '',
    text: 'No backup has been made or recorded with florin backup yet.',
    advice: 'Make one regularly, on another disk.',
  },
  backup_missing: {
    title: '',
    text: 'No backup was made for two days.',
    advice: 'Keep the server running, and check its log for backup.failed.',
  },
  backup_old: {
    title: '',
    text: ({ time }: { time: string }) => `The newest backup is from ${time}.`,
    advice: 'Check why florin backup no longer runs.',
  },
  backup_failed: {
    title: '',
    text: ({ reason }: BackupProblem) => `The last backup could not be made: ${reason}`,
    advice: '',
  },
  backup_made: { title: '', text: 'A new backup was made.', advice: '' },
  backup_unusable: {
    title: '',
    text: ({ reason }: BackupProblem) => `A test could not restore a backup: ${reason}`,
    advice: '',
  },
  backup_usable: {
    title: '',
    text: 'A test restored the newest backup, and it is complete again.',
    advice: '',
  },
  replica_behind: {
    title: '',
    text: ({ lagMinutes }: { lagMinutes: number | null }) =>
      lagMinutes === null
        ? 'No copy of the database can be restored from the store yet.'
        : `The copy of the database in the store is ${lagMinutes} minutes behind.`,
    advice: ({ reason }: { reason: string | null }) =>
      reason ?? 'The store may be too slow for the first copy.',
  },
  replica_good: { title: '', text: 'The copy of the database in the store is up to date again.', advice: '' },
  log_lost: {
    title: '',
    text: ({ lines }: { lines: number }) => `Log lines cannot be written: ${lines} are lost so far.`,
    advice: 'Check the disk of the log and the program that reads it. Payments continue.',
  },
  log_works: { title: '', text: 'Log lines are written again.', advice: '' },
  files_low: {
    title: '',
    text: ({ used, limit }: { used: number | null; limit: number }) =>
      used === null
        ? `Only ${limit} files and connections can be open, so customers may have to wait.`
        : `${used} of ${limit} possible files and connections are open, so customers may have to wait.`,
    advice: 'Raise the limit: LimitNOFILE=65536 in the systemd unit, or ulimit -n before the start.',
  },
  files_good: { title: '', text: 'Enough files and connections can be opened again.', advice: '' },
  service_unknown: {
    title: '',
    text: ({ reason }: { reason: string; fault: keyof typeof upstreamFaults | null }) => reason,
    advice: '',
  },
}
