import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `已收到 ${received} / ${total} · 還差 ${left}`,
  receivedAll: (received, total) => `已收到 ${received} / ${total}`,
  awaiting: (amount, shop) => `${amount} 正在等待 ${shop} 接受。請暫時不要再送出任何款項。`,
  awaitingUnknown: shop => `有一筆付款正在等待 ${shop} 接受。請暫時不要再送出任何款項。`,
  tooSmall: left => `剩餘的 ${left} 金額太小，無法送出。已通知商店，您不需要再送出任何款項。`,
  others: '您已開始的其他付款',
  continueWith: name => `使用 ${name} 繼續`,
  part: received => `已收到 ${received}`,
  vanished: amount => `網路上已不再顯示您的 ${amount} 付款。再次送出之前，請先在錢包中查看該筆付款。`,
  blind: (network, time) => `我們目前無法連線到 ${network} 網路。上次檢查時間：${time}。`,
  blindAdvice:
    '如果您已經付款，您的付款沒有遺失。請不要再次付款：一旦能夠連線到網路，我們就會偵測到您的付款。',
}
