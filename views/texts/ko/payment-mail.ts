import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: '결제 금액의 일부가 도착했습니다',
  left: (left, total) =>
    `${total} 중 ${left} 결제가 남아 있습니다. ` +
    '나머지는 상점이 제공하는 어떤 방법으로든 결제하실 수 있습니다.',
  payRest: '나머지 결제하기',
  vanished: '결제가 더 이상 네트워크에 보이지 않습니다',
  refund: '환불 안내',
  recorded: (shop, amount) => `${shop}에서 주문에 대해 ${amount} 환불을 기록했습니다.`,
  refundedTotal: '총 환불액',
  sentApart: shop => `환불 금액은 ${shop}에서 별도로 보내 드립니다. 도착하지 않으면 상점에 문의하세요.`,
  sentBack: '결제하신 결제 서비스에서 금액을 돌려 드립니다.',
  decides: '환불 여부는 상점이 결정합니다.',
  leaveAddress: '돌려받으시려면 주문 페이지에 환불 주소를 남기실 수 있습니다.',
  worth: '가치',
  why: shop => `${shop} 주문에 이 주소가 입력되어 이 메일을 보내 드립니다.`,
}
