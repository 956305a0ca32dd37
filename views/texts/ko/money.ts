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
  blindNever: network => `지금은 ${network} 네트워크에 연결할 수 없습니다.`,
  blindAdvice:
    '이미 결제했다면 결제한 금액은 안전합니다. 다시 결제하지 마세요. 네트워크에 연결되는 즉시 결제가 ' +
    '감지됩니다.',
  couldNotCheck: network => `지금은 ${network} 네트워크에 연결할 수 없어 결제를 확인하지 못했습니다.`,
  away: coin => `지금은 ${coin}에 연결할 수 없습니다`,
  awayAdvice: '다른 결제 방법을 선택하거나 몇 분 후에 다시 시도하세요.',
  soldBy: provider =>
    `이 주문의 결제에 쓰이는 코인은 ${provider}에서 판매합니다. 신분증을 요구할 수 있으며 자체 수수료가 ` +
    '추가됩니다.',
  receivedThrough: (amount, provider) => `${provider}을(를) 통해 ${amount}을(를) 받았습니다.`,
}
