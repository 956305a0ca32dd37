import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: '다른 코인이 도착했습니다',
    underpaid: '결제 금액이 이 주문에 부족합니다',
    late: '결제가 늦게 도착했습니다',
    second_payment: '두 번째 결제가 도착했습니다',
    order_closed: '종료된 주문에 결제가 도착했습니다',
    too_late: '결제가 너무 늦게 도착했습니다',
    overpaid: '필요한 금액보다 많이 결제했습니다',
  },
  otherCoin: '다른 코인',
  received: {
    wrong_asset: (coins, wanted) => `${coins}을(를) 받았지만 이 결제에는 ${wanted}이(가) 필요했습니다.`,
    underpaid: (coins, value) =>
      value === null ? `${coins}을(를) 받았습니다.` : `${value} 상당의 ${coins}을(를) 받았습니다.`,
    late: (coins, value) =>
      value === null
        ? `결제 시간이 지난 후 ${coins}을(를) 받았습니다.`
        : `결제 시간이 지난 후 ${value} 상당의 ` + `${coins}을(를) 받았습니다.`,
    second_payment: coins => `${coins}을(를) 받았지만 이 주문은 이미 결제되었습니다.`,
    order_closed: coins => `${coins}을(를) 받았지만 이 주문은 종료되었습니다.`,
    too_late: coins => `결제 시간이 한참 지난 후 ${coins}을(를) 받았습니다.`,
    overpaid: (coins, due) => `${coins}을(를) 받았지만 필요한 금액은 ${due}뿐이었습니다.`,
  },
  notLost: shop => `결제가 기록되었으며 ${shop}에 알렸습니다.`,
  contact: shop => `${shop}에 문의하세요`,
  contactForRefund: contact => `환불이 필요하거나 궁금한 점이 있으면 ${contact}.`,
  refundAddress: network => `${network} 환불 주소`,
  optional: '(선택 사항)',
  saveAddress: '환불 주소 저장',
  wrongAddress: '잘못되었다면 상점에 문의하세요.',
}
