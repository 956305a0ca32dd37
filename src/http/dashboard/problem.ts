import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import { PERSON_CHANNELS_MAX } from '../../domain/person-channel.ts'
import type { PersonReason, Reason } from '../../domain/reason.ts'

const MINUTE = 60

const hasKey = <Key extends string>(texts: Record<Key, string>, key: string): key is Key =>
  Object.hasOwn(texts, key)

type Texts = DashboardLocale['texts']

/** The text that names the field to correct: "address-ntfy" and "items/0/address" are "address". */
function invalidText({ fields, invalid, invalidIn }: Texts['errors'], refusal: Refusal): string {
  const [path = ''] = refusedFields(refusal)
  const name = path.split('/').at(-1)?.split('-')[0] ?? ''
  return hasKey(fields, name) ? invalidIn({ field: fields[name] }) : invalid
}

type Kind = PersonReason['kind']
type Sentence<K extends Kind> = (texts: Texts, reason: Extract<PersonReason, { kind: K }>) => string

function accountText(
  { cards }: Texts,
  { problem, detail }: Extract<PersonReason, { kind: 'account' }>,
): string {
  const text = cards.problems[problem]
  return typeof text === 'string' ? text : text({ detail })
}

/**
 * The sentence of each reason. It is null where only the page of the form has the facts for a sentence. Other
 * pages then show the sentence of the refusal's code.
 */
const sentences: { [K in Kind]: Sentence<K> | null } = {
  changed: ({ errors }) => errors.changed,
  stale_form: ({ errors }) => errors.byCode.conflict,
  other_site: ({ errors }) => errors.otherSite,
  other_shop: ({ errors }) => errors.otherShop,
  no_shop: ({ errors }) => errors.noShop,
  role: ({ errors }, { access }) => (access === 'operator' ? errors.operator : errors.role),
  wrong_sign_in: ({ signIn }) => signIn.wrong,
  wrong_password: ({ signIn }) => signIn.proofWrong,
  wrong_code: ({ secondFactor }) => secondFactor.wrongCode,
  wrong_first_code: ({ signIn }) => signIn.wrongFirstCode,
  wrong_passkey: ({ passkeys }) => passkeys.wrong,
  copied_passkey: ({ passkeys }, { name }) => passkeys.copied({ name }),
  last_passkey: ({ passkeys }) => passkeys.last,
  too_many_passkeys: ({ passkeys }) => passkeys.tooMany,
  second_factor_required: ({ secondFactor }) => secondFactor.required,
  suspended: ({ errors }) => errors.suspended,
  own_account: ({ server }) => server.own,
  last_owner: ({ people }) => people.lastOwner,
  known_elsewhere: ({ people }) => people.knownElsewhere,
  shared_invitation: ({ people }) => people.sharedInvitation,
  has_password: ({ people }) => people.hasPassword,
  too_many_channels: ({ notices }) => notices.tooMany({ max: PERSON_CHANNELS_MAX }),
  channel_known: ({ notices }) => notices.known,
  no_webhook: ({ deliveries }) => deliveries.noWebhook,
  email_taken: ({ setup }) => setup.shop.taken,
  owner_sets_prices: ({ products }) => products.ownerSetsPrices,
  part_paid: ({ newOrder }) => newOrder.partPaid,
  mail_failed: ({ order }, { fault }) => order.mail.failed({ reason: fault }),
  private_key_entered: null,
  list_empty: ({ pool }) => pool.nothing,
  list_too_long: ({ pool }) => pool.tooMany,
  no_backups: ({ backups }) => backups.noBackups,
  check_failed: ({ check }) => check.failed,
  account: accountText,
  wallet: null,
  wrong_lines: null,
  unusable_endpoint: null,
  unusable_source: null,
  sign_in_required: null,
  proof_required: (texts, { wrong }) => sentenceOf(texts, wrong) ?? texts.signIn.proofNeeded,
}

const isKnown = (reason: Reason): reason is PersonReason => Object.hasOwn(sentences, reason.kind)

/** The sentence of a reason; null if the reason has no sentence. */
export function sentenceOf(texts: Texts, reason: Reason | null): string | null {
  if (!reason || !isKnown(reason)) return null
  // The compiler checks that every kind has a sentence, but not that this sentence fits its kind.
  const sentence = sentences[reason.kind] as ((texts: Texts, reason: PersonReason) => string) | null
  return sentence?.(texts, reason) ?? null
}

/** The title of the page that shows a refusal. */
export function problemTitle({ texts: { errors } }: DashboardLocale, { code, reason }: Refusal): string {
  if (reason?.kind === 'role') return errors.forbidden
  return code === 'not_found' ? errors.missing : errors.title
}

/** The text of a refusal for people of the dashboard. */
export function problemText({ texts }: DashboardLocale, refusal: Refusal): string {
  const { errors } = texts
  const sentence = sentenceOf(texts, refusal.reason)
  if (sentence !== null) return sentence
  switch (refusal.code) {
    case 'rate_limited':
      return errors.tooMany({ seconds: refusal.retryAfterSeconds ?? MINUTE })
    case 'not_found':
      return errors.notFound
    case 'storage_unavailable':
      return errors.unavailable
    case 'internal_error':
      return errors.internal
    default:
      return hasKey(errors.byCode, refusal.code) ? errors.byCode[refusal.code] : invalidText(errors, refusal)
  }
}

/** The paths of the fields that a refusal is about, such as "amount". */
export const refusedFields = ({ details }: Refusal): string[] =>
  Array.isArray(details) ? details.map(({ path }: { path: string }) => path.replace(/^\//, '')) : []
