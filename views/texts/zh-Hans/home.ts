import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: '由 Florin 提供支付服务',
  what: '此服务器为网店收款。',
  buyers: '您是来付款的吗？请打开商店提供给您的链接。',
  developers: '您在运营此服务器或商店吗？API 文档说明了如何创建订单。',
  sandbox: '这是测试环境：如需试用，请创建订单并打开其付款页面。您可以使用测试卡和测试币付款。',
  reference: 'API 文档',
}
