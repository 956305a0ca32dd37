import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `使用 ${method} 付款`,
  waiting: method => `正在等待 ${method}`,
  otherTab:
    '請在另一個分頁中完成付款。付款幾分鐘後，此頁面會自動更新。付款後您可以關閉此頁面，' +
    '您的訂單仍會標示為已付款。',
  openAgain: method => `再次開啟 ${method}`,
  unconfirmed: method => `${method} 尚未確認付款。`,
}
