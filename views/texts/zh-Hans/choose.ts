import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: '选择付款方式',
  byProvider: '银行卡、银行转账或数字钱包',
  crypto: '加密货币',
  card: '银行卡',
  bank: '银行转账',
  through: provider => `通过 ${provider}`,
  moreWays: '更多付款方式',
  moreCoins: '更多币种',
  filter: '查找付款方式',
  noMatch: '没有匹配的付款方式。',
  usual: (fee, time) => `网络费用通常约 ${fee}，用时约 ${time}`,
  networks: count =>
    plural('zh-Hans', count, {
      other: `${count} 个网络`,
    }),
  payWith: method => `使用 ${method} 付款`,
  continueTo: method => `前往 ${method}`,
  keepPageOpen: method => `${method} 将在新标签页中打开。请返回此页面查看付款是否到账。`,
  handledBy: company => `${company} 处理付款，并以加密货币付给商店。可能会要求验证身份，并另收手续费。`,
  handledByNamed: '所示公司处理付款，并以加密货币付给商店。可能会要求验证身份，并另收手续费。',
  back: '返回您已开始的付款',
  noMethod: '无付款方式',
  nothing: '目前没有可用的付款方式',
  providerAway: '支付服务商没有响应。请几分钟后重试。',
  noneForAmount: '商店的付款方式均不适用于此金额。',
  openUntil: time => `此订单在 ${time} 之前有效。`,
  cardsAway: '银行卡、银行转账和数字钱包付款目前不可用。',
  tryInMinutes: '请几分钟后重试。',
  networksAway: networks => `我们目前无法连接 ${networks}。`,
  otherOrLater: '请选择其他付款方式，或几分钟后重试。',
  unavailable: method => `${method} 不可用`,
  chooseOther: '未向您扣款。请选择其他方式。',
  declined: method => `${method} 拒绝了付款`,
  tryAgainOrOther: '付款未成功。如果您的银行显示有冻结金额，该冻结会自动解除。请重试，或选择其他方式。',
}
