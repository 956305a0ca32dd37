/** The settings of a shop. */
export const settings = {
  title: 'Settings',
  saved: 'Saved. Buyers see it from now on.',
  labels: {
    name: 'Name of the shop',
    supportEmail: 'Email address for buyers',
    returnUrl: 'Address of your shop',
    timeZone: 'Time zone',
  },
  hints: {
    name: 'Buyers see it on every page and receipt.',
    supportEmail: 'Whom buyers can ask. Leave it empty to show none.',
    returnUrl: 'Where buyers go back to after paying, if the order names no other one. Begins with https://.',
    timeZone: 'Of the days in reports and the times on these pages, such as Europe/Berlin or UTC.',
  },
  wrong: {
    name: 'Enter a name of at most 100 characters.',
    supportEmail: 'Enter a valid email address, or leave it empty.',
    returnUrl: 'Enter a public address that begins with https://, or leave it empty.',
    timeZone: 'Enter the name of a time zone, such as Europe/Berlin, America/New_York or UTC.',
  },
}
