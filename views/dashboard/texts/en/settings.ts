/** The settings of a shop. */
export const settings = {
  title: 'Settings',
  saved: 'Saved. Buyers see it from now on.',
  looks: 'How buyers see your shop',
  links: 'Links and help for buyers',
  payments: 'Payments and reports',
  preview: 'Preview',
  previewLabel: (name: string) => `Preview of the header of the checkout page, with the name ${name}`,
  previewButton: 'Pay now',
  example: 'View the page of a product as a buyer',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP or SVG up to 100 KB, 32 to 1024 pixels wide and high.',
  wrongLogo: 'Choose a PNG, JPEG, WebP or SVG file up to 100 KB, 32 to 1024 pixels wide and high.',
  removeLogo: 'Remove the logo',
  noMail: 'This server cannot send mail yet. Ask its operator to set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.',
  labels: {
    name: 'Name of the shop',
    color: 'Color',
    supportEmail: 'Email address for buyers',
    supportUrl: 'Page for help',
    returnUrl: 'Return URL',
    termsUrl: 'Terms of sale',
    privacyUrl: 'Privacy policy',
    searchable: 'Search engines',
    receipts: 'Emails to buyers',
    late: 'Payments after the quoted amount has expired',
    tolerance: 'Accept underpayments of up to (percent)',
    timeZone: 'Time zone',
    currency: 'Currency',
    language: 'Language of messages',
  },
  hints: {
    name: 'Buyers see it on every page and receipt.',
    color:
      'Used for buttons and links: # and six digits or letters from a to f, such as #14614a. Leave ' +
      'it empty for the default.',
    supportEmail: 'Shown to buyers who need help. Leave it empty to show none.',
    supportUrl: 'Where buyers get help, instead of the email address. Begins with https://.',
    returnUrl: 'Where buyers go after they pay, unless the order has another URL. Begins with https://.',
    termsUrl: 'Linked on the pages that buyers see. Leave it empty to show none.',
    privacyUrl: 'Linked on the pages that buyers see. Leave it empty to show none.',
    searchable: 'Whether Google and others may list the pages of your products.',
    receipts: 'Buyers get a link to their order when they start to pay, and a receipt.',
    late:
      'The amount in coins is quoted for a limited time, because prices change. If a payment arrives ' +
      'later, Florin can use the value of the coins on arrival, or ask you.',
    tolerance:
      'Some exchanges and wallets deduct their fee from the amount sent. An order counts as paid if ' +
      'no more than this is missing. 0 to 5 percent, but never more than 5 USD.',
    timeZone: 'For the days in reports and the times on these pages, such as Europe/Berlin or UTC.',
    language: 'For emails to the shop, and for messages to people who have not chosen a language.',
    currency:
      'Three letters, such as USD or EUR. New orders, products and reports start with it, and each ' +
      'can have another one.',
  },
  choices: {
    searchable: { yes: 'May list my products', no: 'May not list my products' },
    receipts: { yes: 'Send emails', no: 'Send none' },
    late: { settle: 'Use the value on arrival', ask: 'Ask me each time' },
  },
  wrong: {
    name: 'Enter a name of at most 128 characters.',
    color: 'Enter # and six digits or letters from a to f, such as #14614a.',
    supportEmail: 'Enter a valid email address, or leave it empty.',
    supportUrl: 'Enter a public address that begins with https://, or leave it empty.',
    returnUrl: 'Enter a public address that begins with https://, or leave it empty.',
    termsUrl: 'Enter a public address that begins with https://, or leave it empty.',
    privacyUrl: 'Enter a public address that begins with https://, or leave it empty.',
    tolerance: 'Enter a percentage from 0 to 5, such as 0.5.',
    timeZone: 'Enter the name of a time zone, such as Europe/Berlin, America/New_York or UTC.',
    currency: 'Enter the three letters of a currency, such as USD or EUR, or leave it empty.',
  },
}
