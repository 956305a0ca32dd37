/** Who may do what for the shop. */
export const people = {
  title: 'People',
  person: 'Person',
  role: 'Role',
  you: 'You',
  invited: 'Invited, no password yet',
  empty: 'Nobody but the operator of this server works on this shop yet.',
  roleOf: (email: string) => `Role of ${email}`,
  roleHint:
    'Viewers look at orders, customers and reports. Staff also create and cancel orders, check payments, ' +
    'resend events, write notes ' +
    'and edit ' +
    'products. Owners also mark orders as paid, record refunds, and change wallets, keys and people.',
  invite: 'Invite somebody',
  inviteSubmit: 'Create an invitation link',
  linkFor: (email: string) => `Link for ${email}`,
  linkNote:
    'Send this link to them over a private channel. It can be used once, within an hour, to choose a ' +
    'password. ' +
    'It is not shown again.',
  added: (email: string) => `${email} already has a password and can use this shop now.`,
  renew: 'New invitation link',
  remove: 'Remove',
  removeAsk: (email: string) => `Remove ${email} from this shop?`,
  lastOwner: 'The shop needs an owner. Make somebody else an owner first.',
  knownElsewhere:
    'Somebody with this address already uses this server. Ask the operator to add them to your shop.',
  sharedInvitation:
    'This person was also invited to another shop, or as an operator. Only the operator of this server can ' +
    'give them a new link.',
  hasPassword:
    'This person already has a password. If they forgot it, the operator of this server can reset it.',
  done: { role: 'The role was changed.', removed: 'The person was removed from this shop.' },
}
