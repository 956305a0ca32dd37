import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `使用 ${method} 付款`,
  waiting: method => `正在等待 ${method}`,
  otherTab:
    '请在另一个标签页中完成付款。付款几分钟后，此页面会自动更新。付款后您可以关闭此页面，' +
    '您的订单仍会标记为已付款。',
  openAgain: method => `再次打开 ${method}`,
  unconfirmed: method => `${method} 尚未确认付款。`,
}
