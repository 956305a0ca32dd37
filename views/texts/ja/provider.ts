import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `${method}で支払う`,
  waiting: method => `${method}を待っています`,
  otherTab:
    'もう一方のタブでお支払いを完了してください。このページはお支払いの数分後に自動で更新されます。' +
    'お支払い後は閉じてもかまいません。ご注文は支払い済みとして記録されます。',
  openAgain: method => `${method}をもう一度開く`,
  unconfirmed: method => `${method}はまだお支払いを確認していません。`,
}
