import { plural } from '../plural.ts'

/** What several pages say, and the frame around each page. */
export const page = {
  notice: 'Notice',
  sandbox: 'Sandbox: no real money moves.',
  language: 'Language',
  order: 'Order',
  questions: 'Questions?',
  contact: (shop: string) => `Contact ${shop}`,
  backToShop: (shop: string) => `Back to ${shop}`,
  poweredBy: 'Payments by Florin',
  tryAgain: 'Try again',
  payAnotherWay: 'Pay another way',
  opensInNewTab: 'opens in a new tab',
  checkNow: 'Check now',
  checkedAt: (time: string) => `Checked at ${time}.`,
  connectionLost: 'Connection lost.',
  connectionLostMeaning: 'Trying again. A payment that you have sent is not affected.',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected',
  copySelection: 'Selected. Copy it with your keyboard or the menu of your browser.',
  seconds: (count: number) => plural('en', count, { one: `${count} second`, other: `${count} seconds` }),
  titles: {
    pay: 'Pay',
    detected: 'Payment detected',
    paid: '✓ Paid',
    expired: 'Expired',
    cancelled: 'Cancelled',
    failed: 'Payment failed',
    blocked: 'Payment not possible',
  },
}
