import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `${total} 중 ${received} 받음 · ${left} 남음`,
  receivedAll: (received, total) => `${total} 중 ${received} 받음`,
  awaiting: (amount, shop) =>
    `${shop}에서 ${amount}을(를) 수락하기를 기다리고 있습니다. 지금은 더 보내지 마세요.`,
  awaitingUnknown: shop => `${shop}에서 결제를 수락하기를 기다리고 있습니다. 지금은 더 보내지 마세요.`,
  tooSmall: left =>
    `남은 금액 ${left}은(는) 너무 적어 보낼 수 없습니다. 상점에 알렸으며 더 보내지 않아도 됩니다.`,
  others: '시작한 다른 결제',
  continueWith: name => `${name}(으)로 계속`,
  part: received => `${received} 받음`,
  vanished: amount =>
    `${amount} 결제가 더 이상 네트워크에 표시되지 않습니다. 다시 보내기 전에 지갑에서 확인하세요.`,
  blind: (network, time) => `지금은 ${network} 네트워크에 연결할 수 없습니다. 마지막 확인 시간: ${time}.`,
  blindAdvice:
    '이미 결제했다면 결제한 금액은 안전합니다. 다시 결제하지 마세요. 네트워크에 연결되는 즉시 결제가 ' +
    '감지됩니다.',
}
