/** The settings of a shop. */
export const settings = {
  title: 'Settings',
  saved: 'Saved. Customers see it from now on.',
  looks: 'How customers see your shop',
  links: 'Links and help for customers',
  payments: 'Payments and reports',
  preview: 'Preview',
  previewLabel: (name: string) => `Preview of the header of the checkout page, with the name ${name}`,
  previewButton: 'Pay now',
  example: 'View the page of a product as a customer',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP or SVG up to 100 KB, 32 to 1024 pixels wide and high.',
  wrongLogo: 'Choose a PNG, JPEG, WebP or SVG file up to 100 KB, 32 to 1024 pixels wide and high.',
  removeLogo: 'Remove the logo',
  noMail: 'This server cannot send email yet. Ask its operator to set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.',
  methods: {
    title: 'Payment methods',
    on: 'On',
    off: 'Off',
    noCoins: 'No coin can be paid yet. Wallets shows what each one needs.',
    switchOff: 'Stop taking crypto',
    switchOn: 'Take crypto',
    offHint:
      'If you stop, no new payments with coins can be started. Payments that were started still count. ' +
      'You can switch it on again.',
    onHint: 'If you take crypto, orders can be paid with every coin that is set up under Wallets.',
    toWallets: 'Choose coins under Wallets',
    last: 'Crypto is the only way to pay you, so it stays on. Set up another method first.',
    others: 'Cards, banks and wallets',
    needWallet: 'Cards and banks pay out to your wallet for Ethereum-compatible networks, which is missing.',
    othersHint:
      'The payment providers of this server offer them. Its operator switches providers on and off.',
    each: 'The form of a product or a new order can offer fewer methods.',
  },
  noCurrency: 'None yet',
  labels: {
    name: 'Name of the shop',
    color: 'Color',
    supportEmail: 'Email address for customers',
    supportUrl: 'Page for help',
    returnUrl: 'Return URL',
    termsUrl: 'Terms of sale',
    privacyUrl: 'Privacy policy',
    searchable: 'Search engines',
    receipts: 'Emails to customers',
    paymentMails: 'Emails about incomplete payments and refunds',
    late: 'Payments after the quoted amount has expired',
    tolerance: 'Accept underpayments of up to (percent)',
    timeZone: 'Time zone',
    currency: 'Currency',
    language: 'Language of messages',
  },
  hints: {
    name: 'Customers see it on every page and receipt.',
    color:
      'Used for buttons and links: # and six digits or letters from a to f, such as #14614a. Leave ' +
      'it empty for the default.',
    supportEmail: 'Shown to customers who need help. Leave it empty to show none.',
    supportUrl: 'Where customers get help, instead of the email address. Begins with https://.',
    returnUrl: 'Where customers go after they pay, unless the order has another URL. Begins with https://.',
    termsUrl: 'Linked on the pages that customers see. Leave it empty to show none.',
    privacyUrl: 'Linked on the pages that customers see. Leave it empty to show none.',
    searchable: 'Whether Google and others may list the pages of your products.',
    receipts: 'Customers get a link to their order when they start to pay, and a receipt.',
    paymentMails:
      'Customers get an email when a part of the amount arrives, a payment is late or too much, a ' +
      'payment vanishes from its network, or you record a refund.',
    late:
      'The amount in coins is quoted for a limited time, because prices change. If a payment arrives ' +
      'later, Florin can use the value of the coins on arrival, or ask you.',
    tolerance:
      'Some exchanges and wallets deduct their fee from the amount sent. An order counts as paid if ' +
      'no more than this is missing. 0 to 5 percent, but never more than 5 USD.',
    timeZone: 'For the days in reports and the times on these pages.',
    language: 'For emails to the shop, and for messages to people who have not chosen a language.',
    currency: 'New orders, products and reports start with it, and each can have another one.',
  },
  choices: {
    searchable: { yes: 'May list my products', no: 'May not list my products' },
    receipts: { yes: 'Send emails', no: 'Send none' },
    paymentMails: { same: 'Send them with the emails above', yes: 'Send emails', no: 'Send none' },
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
    timeZone: 'There is no such time zone. Choose one from the list.',
    currency: 'Orders cannot be priced in this currency. Choose one from the list.',
  },
}
