import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `已收到 ${received} / ${total} · 还差 ${left}`,
  receivedAll: (received, total) => `已收到 ${received} / ${total}`,
  awaiting: (amount, shop) => `${amount} 正在等待 ${shop} 接受。请暂时不要再发送任何款项。`,
  awaitingUnknown: shop => `有一笔付款正在等待 ${shop} 接受。请暂时不要再发送任何款项。`,
  tooSmall: left => `剩余的 ${left} 金额太小，无法发送。已通知商店，您无需再发送任何款项。`,
  others: '您已开始的其他付款',
  continueWith: name => `使用 ${name} 继续`,
  part: received => `已收到 ${received}`,
  vanished: amount => `网络上已不再显示您的 ${amount} 付款。再次发送之前，请先在钱包中查看该付款。`,
  blind: (network, time) => `我们目前无法连接 ${network} 网络。上次检查时间：${time}。`,
  blindAdvice: '如果您已经付款，您的付款没有丢失。请不要再次付款：一旦能够连接网络，我们就会检测到您的付款。',
}
